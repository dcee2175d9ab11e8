import { alertStatistics } from '../../contract/alert-kinds.ts'
import { readView } from '../view.ts'
import { type Of, presets } from './words.ts'

/** The condition that an address asks for, as the menu of a chart links to it; undefined: none. */
export function conditionOf(search: string): Of<'statistic'> | undefined {
  const given = new URLSearchParams(search)
  const [gpu_name, limit] = [given.get('gpu'), Number(given.get('limit'))]
  const statistic = alertStatistics.find((name) => name === given.get('figure'))
  if (!gpu_name || !statistic || !(limit >= 0)) return undefined
  const { verified, hosting_type, num_gpus } = readView(search)
  const rig = num_gpus === 'all' ? 0 : Number(num_gpus)
  return { ...presets.statistic, gpu_name, statistic, limit, verified, hosting_type, num_gpus: rig }
}
