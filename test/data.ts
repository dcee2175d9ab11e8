import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

/** Where real market data lies, which is no part of the repository; undefined, with a printed reason, where it is absent. */
export function realData(): string | undefined {
  const dir = resolve(process.env.RACKRATE_TEST_DATA ?? '../shared/data')
  if (existsSync(dir)) return dir
  console.warn(`no real market data at ${dir} (RACKRATE_TEST_DATA): the tests on it are left out`)
  return undefined
}
