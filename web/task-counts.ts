import { signal } from '@preact/signals'
import type { AlertRule } from '../contract/alerts.ts'
import type { AutopilotRule } from '../contract/autopilot.ts'
import type { FleetAdviceAnswer } from '../contract/fleet-advice.ts'
import { pages } from '../contract/pages.ts'
import { counted } from './format.ts'

/** The number of things to do on a page, with their name. */
export interface TaskCount {
  count: number
  words: string
  /** True for an alert or a machine that is offline. */
  isBad: boolean
}

/** The things to do, by the address of the page where they are done. They come after the figures of the first page. */
export const taskCounts = signal<ReadonlyMap<string, TaskCount>>(new Map())

/** The answers that the page Today reads, too. undefined: not known yet. */
export interface TaskAnswers {
  advice: Pick<FleetAdviceAnswer, 'changes' | 'offline'> | undefined
  alerts: readonly Pick<AlertRule, 'status'>[] | undefined
  rules: readonly Pick<AutopilotRule, 'stage' | 'stop_reason' | 'live_from'>[] | undefined
}

/** Counts the things to do. A page without any is left out. */
export function countsOf(
  { advice, alerts = [], rules = [] }: TaskAnswers,
  now: number,
): Map<string, TaskCount> {
  const prices = advice?.changes.length ?? 0
  const offline = advice?.offline ?? 0
  const firing = alerts.filter(({ status }) => status === 'firing').length
  const decisions = rules.filter(
    ({ stage, stop_reason, live_from }) =>
      stop_reason !== null || (stage === 'dry_run' && live_from !== null && live_from <= now),
  ).length
  const found: [string, TaskCount][] = [
    [pages.price, { count: prices, words: `${counted(prices, 'price')} to change`, isBad: false }],
    [pages.machines, { count: offline, words: `${counted(offline, 'machine')} offline`, isBad: true }],
    [pages.alerts, { count: firing, words: `${counted(firing, 'alert')} firing`, isBad: true }],
    [pages.autopilot, { count: decisions, words: `${counted(decisions, 'decision')} to make`, isBad: false }],
  ]
  return new Map(found.filter(([, { count }]) => count > 0))
}

/** The things to do on some pages together; undefined: none. */
export function togetherOf(
  counts: ReadonlyMap<string, TaskCount>,
  paths: readonly string[],
): TaskCount | undefined {
  const [first, ...others] = paths.flatMap((path) => counts.get(path) ?? [])
  return first && others.reduce(added, first)
}

const added = (one: TaskCount, other: TaskCount): TaskCount => ({
  count: one.count + other.count,
  words: `${one.words}, ${other.words}`,
  isBad: one.isBad || other.isBad,
})
