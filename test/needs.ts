import { appendFileSync } from 'node:fs'

/**
 * Returns whether something is there that some tests need. Where it is not, `reason` is printed here, and again at the end of a run by
 * tools/run-tests.mjs.
 */
export function needs(isThere: boolean, reason: string): boolean {
  if (isThere) return true
  console.warn(`Skipped: ${reason}`)
  if (process.env.TEST_SKIPS) appendFileSync(process.env.TEST_SKIPS, `${reason}\n`)
  return false
}
