import { signal } from '@preact/signals'
import type { AutopilotRule } from '../contract/autopilot.ts'

/** The number of things to do on a page, with their name. */
export interface TaskCount {
  count: number
  words: string
  /** True for an alert or a machine that is offline. */
  isBad: boolean
}

/**
 * The things to do, by the address of the page where they are done, and by the title of the place in the menu. They come after the figures of the
 * first page, with the script that counts them.
 */
export const taskCounts = signal<ReadonlyMap<string, TaskCount>>(new Map())

/** True if the holder of a rule has something to decide: the rule has stopped, or its dry run may end. */
export const needsDecision = (
  { stage, stop_reason, live_from }: Pick<AutopilotRule, 'stage' | 'stop_reason' | 'live_from'>,
  now: number,
): boolean => stop_reason !== null || (stage === 'dry_run' && live_from !== null && live_from <= now)
