import { week } from '../../contract/durations.ts'
import { filterOf } from '../../contract/market-filter.ts'
import type { HistoryQuestion } from '../api/history.ts'
import type { View } from '../view.ts'

/** The questions of the market table: the market now, its prices of a week, how soon GPUs are rented, the cheapest, and prices of clouds. */
export function questionsOf(view: View) {
  const current = filterOf(view)
  const fill = { gpu_name: 'all', ...current }
  const history: HistoryQuestion = { ...fill, start: -week, step: 6 * 3600 }
  // Of a rig size the whole machine is wanted.
  const wanted = Number(view.num_gpus) || 1
  const book = { ...fill, gpus: wanted, per_machine: wanted }
  return { current, history, fill, book, clouds: {} }
}
