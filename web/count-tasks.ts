import type { AlertRule } from '../contract/alerts.ts'
import type { AutopilotRule } from '../contract/autopilot.ts'
import type { FleetAdviceAnswer } from '../contract/fleet-advice.ts'
import { pages } from '../contract/pages.ts'
import { counted } from './format.ts'
import { places } from './places.ts'
import { needsDecision, type TaskCount } from './task-counts.ts'

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
  const decisions = rules.filter((rule) => needsDecision(rule, now)).length
  const found: [string, TaskCount][] = [
    [pages.price, { count: prices, words: `${counted(prices, 'price')} to change`, isBad: false }],
    [pages.machines, { count: offline, words: `${counted(offline, 'machine')} offline`, isBad: true }],
    [pages.alerts, { count: firing, words: `${counted(firing, 'alert')} firing`, isBad: true }],
    [pages.autopilot, { count: decisions, words: `${counted(decisions, 'decision')} to make`, isBad: false }],
  ]
  return new Map(found.filter(([, { count }]) => count > 0))
}

/** Adds the things to do on all pages of each place of the menu, by the title of the place. */
export function withPlaces(counts: ReadonlyMap<string, TaskCount>): Map<string, TaskCount> {
  const all = new Map(counts)
  for (const { title, tabs } of places) {
    const [first, ...others] = tabs.flatMap(({ to }) => counts.get(to) ?? [])
    if (first) all.set(title, others.reduce(added, first))
  }
  return all
}

const added = (one: TaskCount, other: TaskCount): TaskCount => ({
  count: one.count + other.count,
  words: `${one.words}, ${other.words}`,
  isBad: one.isBad || other.isBad,
})
