import { appendFileSync } from 'node:fs'

/**
 * Returns true if a requirement of some tests is met. Otherwise `reason` is printed here, and by tools/run-tests.mjs at the end of a run.
 */
export function needs(isThere: boolean, reason: string): boolean {
  if (isThere) return true
  console.warn(`Skipped: ${reason}`)
  if (process.env.TEST_SKIPS) appendFileSync(process.env.TEST_SKIPS, `${reason}\n`)
  return false
}
