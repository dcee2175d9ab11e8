import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { needs } from './needs.ts'

const truth = 'truth_public_aws.json'

/**
 * Where real market data lies, which is no part of the repository: RACKRATE_TEST_DATA, else a folder `data` of a neighbour of the checkout.
 * Undefined, with a printed reason, where there is none.
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
    return [] // who may not look around has none
  }
}
