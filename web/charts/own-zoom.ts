import { useSignal } from '@preact/signals'
import type { Span } from '../view.ts'

/** The range of a chart with its own axis (not the time of the page): `whole`, unless the visitor zoomed. The zoom ends when `about` changes. */
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
