import { deliver } from '../../src/companion/outbox/deliver.ts'
import type { Processor } from '../work-context.ts'

/** Sends the mail and SMS in the outbox. */
export const deliverMessages: Processor = ({ postgres, vault, carriers, stopping }) =>
  deliver(postgres, vault, carriers, stopping)
