import type { DryRunReplay } from '../../contract/autopilot-decisions.ts'
import { autopilotLimits } from '../../contract/autopilot-kinds.ts'
import { hour } from '../../contract/durations.ts'
import { floorTo } from '../../contract/ladder.ts'
import { costsOfMachine, type StoredCosts } from '../hosts/costs/stored.ts'
import { readPastHours } from '../hosts/replay/past-hours.ts'
import { replayMachine } from '../hosts/replay/replay-machine.ts'
import type { RuleMarket } from '../rules/markets.ts'
import type { DryRun } from './judge.ts'

/** The most GPU-hours of one answer, about half a minute of CPU time: 60 machines with one GPU for a week. */
const mostGpuHours = 10_000
/** Seconds that replays of one machine go back. */
const mostSeconds = 30 * 24 * hour

type Replayed = DryRunReplay['machines'][number]

/** The income of a rule's machines if its dry run had set their prices (`ran`), beside their actual income. `most`: GPU-hours. */
export async function replayDryRun(
  market: RuleMarket,
  rule: { id: number; account_id: number; dry_run_since: number | null },
  ran: readonly DryRun[],
  most = mostGpuHours,
): Promise<DryRunReplay> {
  const [state, slots, costs] = await Promise.all([
    market.series.state(),
    market.series.slots(),
    market.costs.read(rule.account_id),
  ])
  const to = floorTo(hour, state.newest_slot)
  const since = rule.dry_run_since
  // The hour in which the dry run began is skipped, since only part of it belongs to the dry run.
  const from = since === null ? to : Math.max(to - mostSeconds, Math.ceil(since / hour) * hour)
  const runs = from >= to ? [] : ran.toSorted((one, other) => other.steps.length - one.steps.length)
  const machines: Replayed[] = []
  let gpuHours = 0
  const chosen = runs.slice(0, autopilotLimits.replayed).filter(({ num_gpus }, index) => {
    gpuHours += (num_gpus * (to - from)) / hour
    return index === 0 || gpuHours <= most
  })
  // Machines are replayed one after the other, so that other requests are answered in between.
  for (const one of chosen)
    machines.push(...(await replayOne(market, one, { account: rule.account_id, costs, slots, from, to })))
  const known = machines.flatMap(({ earned }) => earned ?? [])
  const began = since === null ? null : Math.floor(since)
  const left_out = runs.length - chosen.length
  const total = known.length > 0 ? totalOf(known) : null
  return { rule_id: rule.id, from: began, to, machines, left_out, total }
}

interface ReplayRange {
  account: number
  costs: StoredCosts
  slots: Uint32Array
  from: number
  to: number
}

async function replayOne(
  { own, clickhouse, ratesByDay }: RuleMarket,
  { id, steps }: DryRun,
  { account, costs, slots, ...range }: ReplayRange,
): Promise<Replayed[]> {
  const { machines } = await own.page(account, { limit: 1, after: 0, id })
  const [machine] = machines
  if (!machine) return []
  const { price: listed, ...known } = machine
  const [past, ratesAt] = await Promise.all([
    readPastHours(clickhouse, known, { ...range, slots }),
    ratesByDay(known, range),
  ])
  const question = {
    machine: { ...known, listed },
    ...range,
    rule: 'hold' as const,
    percentile: 0,
    drop: 0,
    costs: costsOfMachine(costs, machine),
    // A decision of one hour takes effect in the next one.
    priceAt: (start: number) => steps.findLast(({ at }) => at <= start)?.price ?? steps[0]?.old ?? 0,
  }
  const { covered_seconds, expected, actual, missing, reason } = await replayMachine(question, past, ratesAt)
  const earned = expected && actual && { expected: expected.earned, actual: actual.earned }
  return [
    {
      machine_id: id,
      gpu_name: machine.gpu_name,
      changes: steps.length,
      covered_seconds,
      earned,
      missing,
      reason,
    },
  ]
}

/** The luck of machines is independent, so the widths of their ranges are added as squares. */
function totalOf(known: readonly NonNullable<Replayed['earned']>[]): NonNullable<DryRunReplay['total']> {
  const sum = (of: (one: (typeof known)[number]) => number) =>
    known.reduce((total, one) => total + of(one), 0)
  const value = sum(({ expected }) => expected.value)
  const below = Math.hypot(...known.map(({ expected }) => expected.value - expected.low))
  const above = Math.hypot(...known.map(({ expected }) => expected.high - expected.value))
  return { expected: { value, low: value - below, high: value + above }, actual: sum((one) => one.actual) }
}
