import { fillFlows } from '../../ingest/fill-flows.ts'
import type { Processor } from '../work-context.ts'

/** Makes the flows of the past after an upgrade. Slots are loaded in between. */
export const fillPastFlows: Processor = ({ stopping, ...stores }) => fillFlows(stores, stopping)
