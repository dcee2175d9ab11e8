import type { AutopilotDecision } from '../../contract/autopilot-decisions.ts'
import { autopilotLimits } from '../../contract/autopilot-kinds.ts'
import type { Estimate } from '../../estimates/fill-rate.ts'
import { counted } from '../format.ts'
import type { Applied } from './api.ts'
import { decisionWords } from './words.ts'

/** A price to set once. */
export interface PriceChange {
  source: string | null
  machine_id: number
  gpu_name: string
  num_gpus?: number
  from: number
  price: number
  /** The floor from the costs or from a rule; null: unknown. */
  floor: number | null
  /** USD a day more than at the present price; null: unknown. */
  gain?: Estimate | null
  /** The reason for a price without a gain. */
  reason?: string
}

/** The requests for some changes: each of one market, with at most as many machines as a request may have. */
export function requestsOf(changes: readonly PriceChange[]): Applied[] {
  const most = autopilotLimits.byHand
  return [...new Set(changes.map(({ source }) => source))].flatMap((source) => {
    const own = changes
      .filter((one) => one.source === source)
      .map(({ machine_id, from, price }) => ({ machine_id, from, price }))
    return Array.from({ length: Math.ceil(own.length / most) }, (_, index) => ({
      source,
      changes: own.slice(index * most, (index + 1) * most),
    }))
  })
}

/** The most machines whose results are listed one by one. */
const mostLines = 20

/** The results as lines: one for each machine, or the number of each result and the first machines that kept their price. */
export function resultLines(decisions: readonly AutopilotDecision[]): string[] {
  const lineOf = (one: AutopilotDecision) => `Machine ${one.machine_id}: ${decisionWords(one)}. ${one.reason}`
  if (decisions.length <= mostLines) return decisions.map(lineOf)
  const counts = new Map<string, number>()
  for (const one of decisions) counts.set(decisionWords(one), (counts.get(decisionWords(one)) ?? 0) + 1)
  const kept = decisions.filter(({ kind, state }) => kind === 'refusal' || state === 'failed')
  return [
    ...[...counts].map(([words, number]) => `${counted(number, 'machine')}: ${words}`),
    ...kept.slice(0, mostLines).map(lineOf),
    ...(kept.length > mostLines ? [`The others are in the history of prices.`] : []),
  ]
}
