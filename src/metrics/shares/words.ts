import { metricTitles } from '../../../contract/chart-choices.ts'
import { machinesThat } from '../../../contract/market-filter.ts'
import type { SharedChart } from '../../../contract/shares.ts'

/** What a shared chart shows, and of which machines. */
export function wordsOf({ metric, query }: SharedChart): { title: string; subject: string } {
  const given = new URLSearchParams(query)
  const filter = (name: string) => given.get(name) ?? 'all'
  return {
    title: `${metricTitles[metric]} of ${filter('gpu_name').replaceAll(',', ', ')}`,
    subject: machinesThat({
      verified: filter('verified'),
      hosting_type: filter('hosting_type'),
      num_gpus: filter('num_gpus'),
    }),
  }
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text in markup, also in an attribute. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (letter) => escapes[letter] ?? letter)
