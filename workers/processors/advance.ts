import { advanceMarket } from '../../simulate/live.ts'
import type { Processor } from '../work-context.ts'

/** Moves a simulated market on to the present slot. */
export const advance: Processor = ({ postgres, snapshotInterval }) =>
  advanceMarket(postgres, { interval: snapshotInterval })
