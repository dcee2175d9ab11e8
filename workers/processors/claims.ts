import { readWithKeys } from '../../src/hosts/claims/read-with-keys.ts'
import type { Processor } from '../work-context.ts'

/** Reads own machines and what they earned with the keys of claims. */
export const readClaims: Processor = async (context) => {
  const { read, failed } = await readWithKeys(context)
  return failed > 0 ? { read, failed } : undefined
}
