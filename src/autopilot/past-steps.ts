import { hour } from '../../contract/durations.ts'
import { filterOf } from '../../contract/market-filter.ts'
import { decidePrice } from '../../estimates/autopilot.ts'
import { hostPartOfHours, readPastHours } from '../hosts/replay/past-hours.ts'
import type { RuleMarket } from '../rules/markets.ts'
import type { DryRun } from './judge.ts'
import type { MachineMoment } from './read-moments.ts'
import type { RuleSettings } from './rule.ts'

/**
 * The changes that a rule would have made to a machine, decided once an hour by the function that the workers use. Each decision knows the market of
 * the hour before. Costs, the number of other machines, and the recommended price are the present ones: their past is not stored.
 */
export async function pastSteps(
  { clickhouse }: RuleMarket,
  { machine, known }: MachineMoment,
  { target, ...rails }: RuleSettings,
  range: { from: number; to: number; slots: Uint32Array },
): Promise<DryRun['steps']> {
  // As for a rule, the class of a machine has all rig sizes.
  const filter = { ...filterOf(machine), num_gpus: 0 }
  const renters = await readPastHours(clickhouse, machine, range, filter)
  const past = hostPartOfHours(renters, machine.host_share)
  let price = past.find(({ ask }) => ask !== null)?.ask ?? machine.price
  let idleSince: number | null = null
  const steps: DryRun['steps'] = []
  for (const { start, online, rentedGpus, ofClass } of past) {
    idleSince = rentedGpus > 0 ? null : (idleSince ?? start)
    const now = start + hour
    if (price === null || now >= range.to) break
    const decision = decidePrice({
      ...known,
      target,
      rails,
      now,
      slot: now,
      slot_before: start,
      interval: hour,
      price,
      online,
      idle_since: idleSince,
      rental: undefined,
      left: null,
      changes: steps.map(({ at }) => at),
      // Occupancy at a price that the machine did not ask is unknown.
      own_results: null,
      market: { ...known.market, asks: ofClass },
    })
    if (decision.kind !== 'change') continue
    steps.push({ at: now, old: price, price: decision.price })
    price = decision.price
  }
  return steps
}
