import { publish } from '../../src/publish/data/publish.ts'
import type { Processor } from '../work-context.ts'

/** Makes the files of open data that are missing or out of date. */
export const writeDataFiles: Processor = async ({ openData, stopping, ...stores }) =>
  openData && publish(stores, openData, stopping)
