import { setImmediate as pause } from 'node:timers/promises'
import type { z } from 'zod'
import { hour } from '../../../contract/durations.ts'
import type { MachineReplay, NoReplay, replayQuery } from '../../../contract/replay.ts'
import { isEntered, type KnownCosts, marginOf, netOf } from '../../../estimates/costs.ts'
import type { HostShare } from '../../../estimates/host-price.ts'
import { fillRateAt, highestKnown } from '../../../estimates/income-curve.ts'
import { openReplay, type PriceRule, type ReplayHour, worstDay } from '../../../estimates/replay.ts'
import { noReplayWords, replayWords } from '../../../estimates/replay-words.ts'
import { seeded } from '../../../simulate/random.ts'
import { hostPartOfHours, type PastHour, percentileOf, type Replayable, shareCheaper } from './past-hours.ts'
import type { RatesThen } from './rates-by-day.ts'

export interface ReplayQuestion extends Omit<z.output<typeof replayQuery>, 'days'> {
  /** Its prices are the host's part of what renters pay. */
  machine: Replayable & { listed: number | null; host_share: HostShare | null }
  costs: KnownCosts
  from: number
  to: number
  /** Prices by the start of the hour that replace the actual ones, as in a dry run. */
  priceAt?: ((start: number) => number) | undefined
}

const aDay = 24
/** Draws after which other requests are answered. */
const atOnce = 20

/**
 * Simulates a machine's income under a pricing rule, using each hour's market and only the rates known at the start of that day.
 */
export async function replayMachine(
  { machine, costs, rule, percentile, drop, from, to, ...asked }: ReplayQuestion,
  renters: readonly PastHour[],
  ratesAt: (time: number) => RatesThen | undefined,
): Promise<MachineReplay> {
  const past = hostPartOfHours(renters, machine.host_share)
  const gpus = machine.num_gpus
  const given = asked.priceAt
  const begin =
    asked.price ?? past.find(({ ask }) => ask !== null)?.ask ?? (past.length > 0 ? machine.listed : null)
  const price = rule === 'follow' || given ? null : begin
  const told = {
    success: true as const,
    unknown_costs: costs.unknown,
    asked: {
      rule,
      price,
      percentile: rule === 'follow' ? percentile : null,
      drop: rule === 'drop' ? drop : null,
    },
  }
  const without = (missing: NoReplay, hours: readonly PastHour[] = past): MachineReplay => ({
    ...told,
    from: hours[0]?.start ?? from,
    to,
    covered_seconds: hours.length * hour,
    expected: null,
    actual: hours.length > 0 ? actualOf(hours, gpus, costs) : null,
    missing,
    reason: noReplayWords[missing],
  })

  if (past.length === 0) return without('not_seen')
  if (past.length < aDay) return without('too_new')
  if (rule !== 'follow' && !given && price === null) return without('not_listed')
  const followed = given
    ? past.map(({ start }) => given(start))
    : rule === 'follow'
      ? percentilesBefore(past, percentile / 100)
      : null
  if (followed && followed[0] === undefined) return without('few_in_class')

  // The rates of the first days of a market are unknown, so the replay begins after them.
  const priceAt = (index: number) => followed?.[index] ?? price ?? 0
  const known = past.map((one, index) => fillAt(one, ratesAt(one.start), gpus)(priceAt(index)) !== null)
  const first = known.lastIndexOf(false) + 1
  const hours = past.slice(first)
  if (hours.length < aDay) return without('few_rentals')
  const tooDear = hours.filter(
    (one, index) => priceAt(first + index) > highestKnown(one.others, gpus * one.slots),
  )
  if (2 * tooDear.length > hours.length) return without('few_as_dear', hours)

  const onlineHours = hours.filter(({ online }) => online).length
  const { floor = 0 } = marginOf(costs, gpus) ?? {}
  const rates = ratesAt(hours[0]?.start ?? 0)
  const draws = openReplay({
    gpus,
    atOnce: rates?.gpus_at_once ?? 1,
    begin: hours[0]?.rentals ?? [],
    hours: hours.flatMap((one) => hourOf(one, ratesAt(one.start), gpus)),
    rule: ruleOf({ rule, price, drop, floor, followed: followed?.slice(first) }),
    net: isEntered(costs)
      ? (earned, rentedGpuHours) =>
          netOf(gpus, { earned, rentedGpuHours, onlineHours, hours: hours.length }, costs) ?? 0
      : undefined,
    random: seeded(machine.id),
  })
  for (let drawn = 0; drawn < draws.wanted; drawn += atOnce) {
    if (!draws.add(atOnce)) return without('few_rentals', hours)
    await pause() // Other requests are answered in between.
  }
  const expected = draws.result()
  const actual = actualOf(hours, gpus, costs)
  const words = {
    rule: given ? ('dry_run' as const) : rule,
    price,
    percentile,
    drop,
    hours: hours.length,
    expected: expected.earned,
    actual: actual.earned,
  }
  return {
    ...told,
    from: hours[0]?.start ?? from,
    to,
    covered_seconds: hours.length * hour,
    expected,
    actual,
    missing: null,
    reason: replayWords(words),
  }
}

const fillAt = (past: PastHour, rates: RatesThen | undefined, gpus: number) => (price: number) =>
  rates?.return_rate ? fillRateAt(shareCheaper(past, price, gpus), rates) : null

const hourOf = (past: PastHour, rates: RatesThen | undefined, gpus: number): ReplayHour[] =>
  rates?.return_rate
    ? [{ online: past.online, fillAt: fillAt(past, rates, gpus), back: rates.return_rate }]
    : []

/**
 * For each hour, the price at a share of the class in the hour before, or the last known price; undefined before any is known.
 */
function percentilesBefore(past: readonly PastHour[], share: number): (number | undefined)[] {
  // In the first hour a host sees the book of that hour.
  let last = percentileOf(past[0]?.ofClass ?? [], share) ?? undefined
  return past.map((_, index) => {
    last = percentileOf(past[index - 1]?.ofClass ?? [], share) ?? last
    return last
  })
}

interface Ruled {
  rule: ReplayQuestion['rule']
  price: number | null
  drop: number
  floor: number
  followed: readonly (number | undefined)[] | undefined
}

function ruleOf({ rule, price, drop, floor, followed }: Ruled): PriceRule {
  const begin = price ?? 0
  if (followed) return (index) => followed[index] ?? 0
  if (rule === 'hold') return () => begin
  return (_, idle) => Math.max(Math.min(begin, floor), begin * (1 - drop / 100) ** Math.floor(idle / aDay))
}

function actualOf(
  hours: readonly PastHour[],
  gpus: number,
  costs: KnownCosts,
): MachineReplay['actual'] & object {
  const earned = hours.reduce((sum, { value }) => sum + value, 0)
  const rentedGpuHours = hours.reduce((sum, { rentedGpus }) => sum + rentedGpus, 0)
  const onlineHours = hours.filter(({ online }) => online).length
  return {
    earned,
    worst_day: worstDay(hours.map(({ value }) => value)),
    idle_days: hours.filter(({ rentedGpus }) => rentedGpus === 0).length / aDay,
    occupancy: rentedGpuHours / (gpus * hours.length),
    net: netOf(gpus, { earned, rentedGpuHours, onlineHours, hours: hours.length }, costs),
  }
}
