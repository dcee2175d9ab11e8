import { readCatalog } from '../../collect/catalog.ts'
import type { Processor } from '../work-context.ts'

/** Reads the providers of the catalog that were read an hour ago. */
export const readListPrices: Processor = async ({ catalog, stopping, ...stores }) => {
  if (!catalog) return undefined
  const reading = await readCatalog(stores, catalog, stopping)
  return Object.keys(reading).length > 0 ? reading : undefined
}
