import { readFileSync } from 'node:fs'
import { toError } from '../contract/failure.ts'
import { UsageError } from '../platform/usage-error.ts'

/** The API key in a file. Throws UsageError. */
export function keyIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new UsageError(`Cannot read the key file: ${toError(error).message}`, { cause: error })
  }
}
