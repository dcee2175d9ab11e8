import type { AlertCondition, ChangeCondition } from '../../contract/alert-conditions.ts'
import { type AlertStatistic, alertFigures, alertStatistics, unitOf } from '../../contract/alert-kinds.ts'
import { everyMachine, filterParameters, machinesThat } from '../../contract/market-filter.ts'
import { eventNames } from '../event-names.ts'
import { figure, percent, price } from '../format.ts'

export type Kind = AlertCondition['kind']
export type Of<Name extends Kind> = Extract<AlertCondition, { kind: Name }>

/** The subjects that a rule can watch, in the order of the form. */
export const kinds: readonly (readonly [Kind, string])[] = [
  ['statistic', 'A price falls'],
  ['machine_idle', 'A machine is idle'],
  ['machine_waits', 'A machine waits too long'],
  ['machine_price', 'My price is out of line'],
  ['listing_ends', 'A listing ends'],
  ['event', 'A market event'],
  ['data_age', 'The data are old'],
]

/** Hours of rest after an alert, in words. */
const rests: readonly (readonly [string, string])[] = [
  ['24', 'once a day'],
  ['168', 'once a week'],
  ['6', 'once in 6 hours'],
  ['1', 'once an hour'],
  ['0', 'every time'],
]

/** The choices of a rest, with the present one, which the API may have set to any number of hours. */
export const restsWith = (hours: number): typeof rests =>
  rests.some(([rest]) => rest === `${hours}`) ? rests : [...rests, [`${hours}`, `once in ${hours} hours`]]

/** The rest after an alert of a new rule, in hours, so that no rule is noisy by default. */
const usualRest = 24

/** The change at which a rule on a fall or rise ends: three fifths of the change at which it begins. */
export const usualEnd = (by: number): number => Number((0.6 * by).toPrecision(2))

export const statistics = alertStatistics.map((name) => [name, alertFigures[name][0]] as const)

/** The initial condition of a new rule, by kind. */
export const presets: { [Name in Kind]: Name extends 'statistic' ? ChangeCondition : Of<Name> } = {
  machine_price: { kind: 'machine_price', machine_id: null, slots: 2, rest_hours: usualRest },
  machine_idle: { kind: 'machine_idle', machine_id: null, hours: 12 },
  machine_waits: { kind: 'machine_waits', machine_id: null },
  listing_ends: { kind: 'listing_ends', machine_id: null, days: 7 },
  statistic: {
    ...everyMachine,
    kind: 'statistic',
    gpu_name: 'RTX 4090',
    verified: 'yes',
    num_gpus: 0,
    gpu_memory: 0,
    statistic: 'avail_median',
    is: 'falls',
    by: 5,
    within_hours: 24,
    clears_at: usualEnd(5),
    slots: 6,
    rest_hours: usualRest,
  },
  event: {
    kind: 'event',
    gpu_name: 'RTX 4090',
    verified: 'yes',
    gpu_memory: 0,
    event: 'price_jump',
    rest_hours: usualRest,
  },
  data_age: { kind: 'data_age', minutes: 30 },
}

const wordOf = <Name extends string>(names: readonly (readonly [Name, string])[], name: Name): string =>
  names.find(([one]) => one === name)?.[1] ?? name

/** A value of a figure, in its unit. */
export const inUnit = (statistic: AlertStatistic, value: number | null): string =>
  ({ share: percent, rate: figure, gpus: figure, dollars: price })[unitOf(statistic)](value)

function machinesOf(asked: Parameters<typeof filterParameters>[0]): string {
  const machines = machinesThat(filterParameters(asked))
  return machines === 'all machines' ? '' : `, ${machines}`
}

/** The condition of a rule, in words. */
export function describe(condition: AlertCondition): string {
  switch (condition.kind) {
    case 'statistic': {
      const { gpu_name, statistic, is } = condition
      const compared =
        'by' in condition
          ? `${condition.by} % in ${condition.within_hours} h`
          : inUnit(statistic, condition.limit)
      const { gpu_memory } = condition
      const which = machinesOf(statistic === 'list_price' ? { gpu_memory } : condition)
      return `${gpu_name}: ${alertFigures[statistic][0]} ${is} ${compared}${which}`
    }
    case 'event':
      return `${condition.gpu_name}: ${wordOf(eventNames, condition.event)}${machinesOf(condition)}`
    case 'machine_idle':
      return `${machineOf(condition.machine_id)} idle for ${condition.hours} h`
    case 'machine_waits':
      return `${machineOf(condition.machine_id)} idle for longer than 95 % of such machines`
    case 'machine_price':
      return `Price of ${machineOf(condition.machine_id).toLowerCase()} outside p10 to p90 of the class`
    case 'listing_ends':
      return `Listing of ${machineOf(condition.machine_id).toLowerCase()} ends within ${condition.days} days`
    case 'data_age':
      return `Data older than ${condition.minutes} min`
  }
}

const machineOf = (id: number | null): string => (id === null ? 'Any of my machines' : `Machine ${id}`)
