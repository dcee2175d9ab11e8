import type { GpuHistory } from '../../contract/history.ts'
import { type History, historyOf } from '../api/history.ts'
import { colorOf } from '../charts/palette.ts'
import { change, count, nothing, percent, price } from '../format.ts'
import { pulseOf, type Trend } from './pulse.ts'

interface PulseCardsProps {
  names: readonly string[]
  /** Of them, 30 days back, by the hour. */
  history: History | undefined
  /** It answers another question: the figures are on their way. */
  isStale: boolean
  /** The chosen GPU, when one is shown. */
  focus: string | undefined
  onFocus: (name: string) => void
}

/** The newest figures of each GPU; a card leads to its charts. */
export function PulseCards({ names, history, isStale, focus, onFocus }: PulseCardsProps) {
  return (
    <ul class="cards" aria-label="Now" aria-busy={isStale || !history}>
      {names.map((name, index) => (
        <li key={name} class={focus === name ? 'chosen' : undefined}>
          <button
            type="button"
            class="plain name"
            aria-pressed={focus === name}
            onClick={() => onFocus(name)}
          >
            {focus === undefined && <span class="swatch" style={{ background: colorOf(index) }} />}
            {name}
          </button>
          <Figures gpu={history && historyOf(history, name)} />
        </li>
      ))}
    </ul>
  )
}

function Figures({ gpu }: { gpu: GpuHistory | undefined }) {
  if (!gpu) return <p class="quiet">…</p>
  if (gpu.pricing.timestamps.length === 0) return <p>Not on the market in the last 30 days.</p>
  const { available, rented, occupancy, gpus } = pulseOf(gpu)
  return (
    <>
      <Median what="available" trend={available} />
      <Median what="rented" trend={rented} />
      <p>
        <strong>{percent(occupancy)}</strong> <span class="quiet">of {count(gpus)} GPUs rented</span>
      </p>
    </>
  )
}

function Median({ what, trend: { median, changes } }: { what: string; trend: Trend }) {
  return (
    <p>
      <strong class="large">{price(median)}</strong> <span class="quiet">/h median {what}</span>
      <br />
      {changes.map(({ label, change: value }) => (
        <span key={label} class="change">
          <span class="quiet">{label}</span> {value === null ? nothing : `${arrow(value)} ${change(value)}`}
        </span>
      ))}
    </p>
  )
}

// The direction is a shape, not a colour: a higher price is good for a host and bad for a renter.
const arrow = (value: number): string => (Math.abs(value) < 0.0005 ? '→' : value > 0 ? '↑' : '↓')
