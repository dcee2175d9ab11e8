import { useSignal } from '@preact/signals'
import type { Span } from '../view.ts'

/** What a chart shows along an axis that is its own, not the time of the page: `whole`, unless the visitor zoomed into what it is `about`. */
export function useOwnZoom(about: string, whole: Span) {
  const zoomed = useSignal<Span & { about: string }>()
  const { from, to } = zoomed.value?.about === about ? zoomed.value : whole
  return {
    from,
    to,
    onZoom(from: number, to: number): void {
      zoomed.value = { about, from, to }
    },
    onBack(): void {
      zoomed.value = undefined
    },
  }
}
