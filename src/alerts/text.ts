import type { AlertCondition, ChangeCondition } from '../../contract/alert-conditions.ts'
import { type AlertStatistic, alertFigures, spanOf, unitOf } from '../../contract/alert-kinds.ts'
import type { AlertEntry } from '../../contract/alerts.ts'
import type { MarketEvent } from '../../contract/events.ts'
import { normalName } from '../../contract/gpu-names.ts'
import { filterParameters, filtersInForce } from '../../contract/market-filter.ts'
import { percentChange } from './readings.ts'
import type { Condition } from './rule.ts'

type EntryWithoutText = Omit<AlertEntry, 'text'>
const dollars = (value: number | null): string => (value === null ? '?' : `$${Number(value.toPrecision(4))}`)
const rounded = (value: number | null): string => (value === null ? '?' : `${Number(value.toPrecision(3))}`)

function inUnit(statistic: AlertStatistic, value: number | null): string {
  if (value === null) return '?'
  switch (unitOf(statistic)) {
    case 'share':
      return `${rounded(value * 100)} %`
    case 'rate':
      return `${rounded(value)} rentals per GPU-hour`
    case 'gpus':
      return `${value}`
    case 'dollars':
      return dollars(value)
  }
}

/** The filters in force of a condition, in words. */
function machinesOf(condition: Parameters<typeof filterParameters>[0]): string {
  const words = filtersInForce(filterParameters(condition)).map(([, word]) => word)
  return words.length === 0 ? '' : ` (${words.join(', ')})`
}

/** The change of a figure, or its return to the normal range. */
function changeOf(
  { statistic, is, by, within_hours }: ChangeCondition,
  { what, value, before }: EntryWithoutText,
): string {
  const way = is === 'falls' ? 'down' : 'up'
  const then = inUnit(statistic, before ?? null)
  if (what === 'resolved') return `no longer ${way} ${by} % in ${spanOf(within_hours)} (from ${then})`
  const moved = value === null || !before ? null : Math.abs(percentChange(before, value))
  return `${way} ${rounded(moved)} % in ${spanOf(within_hours)} (from ${then})`
}

/** The message of a rule, as one sentence. */
export function textOf(
  condition: Exclude<AlertCondition, { kind: 'event' }>,
  told: EntryWithoutText,
): string {
  const { machine_id, value, limit } = told
  const isOver = told.what === 'resolved'
  switch (condition.kind) {
    case 'statistic': {
      const { gpu_name, statistic } = condition
      const [, said] = alertFigures[statistic]
      const { gpu_memory } = condition
      const which = machinesOf(statistic === 'list_price' ? { gpu_memory } : condition)
      const seen = `${normalName(gpu_name)}${which}: ${said} is ${inUnit(statistic, value)}`
      if ('by' in condition) return `${seen}, ${changeOf(condition, told)}.`
      return `${seen}, ${isOver ? 'no longer ' : ''}${condition.is} ${inUnit(statistic, condition.limit)}.`
    }
    case 'machine_idle':
      return isOver
        ? `Machine ${machine_id} is rented again.`
        : `Machine ${machine_id} has been idle for ${Math.floor(value ?? 0)} hours.`
    case 'machine_waits':
      return isOver
        ? `Machine ${machine_id} is rented again.`
        : `Machine ${machine_id} has been idle for ${rounded(value)} hours: only 1 in 20 such machines waits longer than ${rounded(limit)} hours at its price.`
    case 'machine_price':
      return isOver
        ? `Machine ${machine_id} asks ${dollars(value)}, which is within p10 to p90 of its class again.`
        : `Machine ${machine_id} asks ${dollars(value)}, which is ${(value ?? 0) < (limit ?? 0) ? 'below p10' : 'above p90'} of its class (${dollars(limit)}).`
    case 'listing_ends':
      return isOver
        ? `The listing of machine ${machine_id} ends in ${Math.floor(value ?? 0)} days, which is again more than ${condition.days} days away.`
        : `The listing of machine ${machine_id} ends in ${rounded(value)} days. After that it cannot be rented.`
    case 'data_age':
      return isOver
        ? 'New market data has arrived.'
        : `The newest market data is ${Math.floor(value ?? 0)} minutes old.`
  }
}

/** The message of a rule on events about one of them. */
export function eventText(condition: Condition<'event'>, event: MarketEvent): AlertEntry {
  const { at, kind, value, reference, limit } = event
  const words = {
    price_jump: `the available median is ${dollars(value)}, far from the usual ${dollars(reference)}`,
    supply_drop: `${value} GPUs are on the market, after ${reference} an hour before`,
    high_occupancy: `${rounded(value * 100)} % of the GPUs are rented`,
    low_90d: `the hourly median was ${dollars(value)}, the lowest of 90 days (before: ${dollars(reference)})`,
  }[kind]
  return {
    what: 'fired',
    machine_id: null,
    since: at,
    value,
    limit,
    text: `${event.gpu_name}${machinesOf({ verified: condition.verified, gpu_memory: condition.gpu_memory })}: ${words}.`,
  }
}
