import { publishDays } from '../../ingest/publish-days.ts'
import type { Processor } from '../work-context.ts'

/** Publishes the days that are complete. */
export const publishCompleteDays: Processor = ({ stopping, ...stores }) => publishDays(stores, stopping)
