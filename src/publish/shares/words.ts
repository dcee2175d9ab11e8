import { metricTitles } from '../../../contract/chart-choices.ts'
import { filtersFrom, machinesThat } from '../../../contract/market-filter.ts'
import type { SharedChart } from '../../../contract/shares.ts'

/** The title of a shared chart, and its machines in words. */
export function wordsOf({ metric, query }: SharedChart): { title: string; subject: string } {
  const given = new URLSearchParams(query)
  return {
    title: `${metricTitles[metric]} of ${(given.get('gpu_name') ?? 'all').replaceAll(',', ', ')}`,
    subject: machinesThat(filtersFrom(given)),
  }
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes text for markup, also for attributes. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (letter) => escapes[letter] ?? letter)
