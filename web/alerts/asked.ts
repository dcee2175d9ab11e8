import type { AlertCondition } from '../../contract/alert-conditions.ts'
import { alertStatistics } from '../../contract/alert-kinds.ts'
import { filterOf, withoutTier } from '../../contract/market-filter.ts'
import { keysOf } from '../../contract/records.ts'
import { readView } from '../view.ts'
import { presets } from './words.ts'

/** The condition that an address of the page requests: of a kind, or, as in the menu of a chart, the default fall of a figure. Undefined: none. */
export function conditionOf(search: string): AlertCondition | undefined {
  const given = new URLSearchParams(search)
  const kind = keysOf(presets).find((name) => name === given.get('kind'))
  if (kind) return presets[kind]
  const gpu_name = given.get('gpu')
  const statistic = alertStatistics.find((name) => name === given.get('figure'))
  if (!gpu_name || !statistic) return undefined
  const filters = withoutTier(filterOf(readView(search)))
  const numberOf = (chosen: string) => (chosen === 'all' ? 0 : Number(chosen))
  const [num_gpus, gpu_memory] = [numberOf(filters.num_gpus), numberOf(filters.gpu_memory)]
  return { ...presets.statistic, gpu_name, statistic, ...filters, num_gpus, gpu_memory }
}
