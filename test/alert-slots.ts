import { expect } from 'vitest'
import type { AlertCondition } from '../contract/alert-conditions.ts'
import { priceFigures } from '../contract/history-figures.ts'
import { recordOf } from '../contract/records.ts'
import { evaluate } from '../src/alerts/evaluate.ts'
import type { RuleState } from '../src/alerts/rule.ts'
import type { MachineFigure, MarketFigure, SlotFigures } from '../src/alerts/slot-figures.ts'

export const interval = 300
export const start = 1_750_000_200
export const figure = (changes: Partial<MarketFigure> = {}): MarketFigure => ({
  slot: 0,
  gpu_name: 'RTX 4090',
  verified: 'yes',
  hosting_type: 'all',
  num_gpus: 0,
  gpu_memory: 0,
  only_memory: 24,
  total: 20,
  available: 10,
  total_gpus: 100,
  available_gpus: 50,
  rented_gpus: 50,
  ...recordOf(priceFigures, () => 0.3),
  avail_p10: 0.2,
  avail_p90: 0.4,
  rented_p10: 0.2,
  rented_p90: 0.4,
  ...changes,
})
export const machine = (changes: Partial<MachineFigure> = {}): MachineFigure => ({
  slot: 0,
  id: 7,
  gpu_name: 'RTX 4090',
  num_gpus: 4,
  verified: true,
  hosting_type: 'community',
  gpu_memory: 24,
  free: 4,
  rented: 0,
  price: 0.3,
  ends: null,
  ...changes,
})
export const at = (slot: number, changes: Partial<SlotFigures> = {}): SlotFigures => ({
  slot,
  interval,
  newest: slot,
  fillRate: () => null,
  listPrice: () => null,
  market: () => undefined,
  ago: () => undefined,
  eventsOf: () => [],
  ownedBy: () => [7],
  machine: () => undefined,
  waitOf: () => undefined,
  idleSince: () => undefined,
  sizesOf: () => undefined,
  ...changes,
})
/** The messages of a rule, slot by slot. Each state is converted to JSON and back, as in the database. */
export function told(
  condition: AlertCondition,
  slots: readonly SlotFigures[],
  silenced_until: number | null = null,
) {
  let state: RuleState = {}
  return slots.flatMap((figures) => {
    const rule = { account_id: 1, condition, silenced_until, state: structuredClone(state) }
    const result = evaluate(rule, figures)
    expect(rule.state, 'a pure function changes nothing').toEqual(state)
    state = JSON.parse(JSON.stringify(result.state))
    return result.entries.map(({ what, text }) => `${(figures.slot - start) / interval} ${what}: ${text}`)
  })
}
