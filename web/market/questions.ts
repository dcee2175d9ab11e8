import { hour, week } from '../../contract/durations.ts'
import { filterOf } from '../../contract/market-filter.ts'
import type { HistoryQuestion } from '../api/history.ts'
import type { View } from '../view.ts'

/** The queries of the market table: the present market, prices of a week, times to rent, the cheapest offers, and prices of clouds. */
export function questionsOf(view: View) {
  const current = filterOf(view)
  const fill = { gpu_name: 'all', ...current }
  const history: HistoryQuestion = { ...fill, start: -week, step: 6 * hour }
  // With a rig size, only machines with all GPUs free count.
  const wanted = Number(view.num_gpus) || 1
  const book = { ...fill, gpus: wanted, per_machine: wanted }
  return { current, history, fill, book, clouds: {} }
}
