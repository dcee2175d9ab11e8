import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { needs } from './needs.ts'

const truth = 'truth_public_aws.json'

/**
 * The folder of real market data, which is not in the repository: RACKRATE_TEST_DATA, or a folder `data` beside the checkout. Undefined, with a
 * printed reason, if there is none.
 */
export function realData(): string | undefined {
  const given = process.env.RACKRATE_TEST_DATA
  const found = (given ? [given] : neighbours()).find((dir) => existsSync(join(dir, truth)))
  if (found) return resolve(found)
  needs(
    false,
    `no ${truth} in ${given ?? 'a neighbouring folder'} (RACKRATE_TEST_DATA), so nothing is tested on real data`,
  )
  return undefined
}

function neighbours(): string[] {
  try {
    return readdirSync('..').map((name) => join('..', name, 'data'))
  } catch {
    return [] // without the right to list the folder there is no data
  }
}
