import { colorsOf } from '../../contract/gpu-colors.ts'
import type { GpuHistory } from '../../contract/history.ts'
import { type History, historyOf } from '../api/history.ts'
import { colorOf } from '../charts/palette.ts'
import { Change } from '../components/change.tsx'
import { Sparkline } from '../components/sparkline.tsx'
import { count, percent, price } from '../format.ts'
import { pulseOf } from './pulse.ts'

interface PulseCardsProps {
  names: readonly string[]
  /** The history of these GPUs over 8 days, by the hour. */
  history: History | undefined
  /** True if the history belongs to an earlier query: the new figures are being read. */
  isStale: boolean
  /** The chosen GPU, when one is shown. */
  focus: string | undefined
  onFocus: (name: string) => void
}

/** The newest figures of each GPU; a card leads to its charts. */
export function PulseCards({ names, history, isStale, focus, onFocus }: PulseCardsProps) {
  const colors = colorsOf(names)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
    <ul class="cards" aria-label="Now" aria-busy={isStale || !history} tabIndex={0}>
      {names.map((name) => (
        <li key={name} class={focus === name && names.length > 1 ? 'chosen' : undefined}>
          <button
            type="button"
            class="plain name"
            aria-pressed={focus === name}
            title={name}
            onClick={() => onFocus(name)}
          >
            {focus === undefined && (
              <span class="swatch" style={{ background: colorOf(colors.get(name) ?? 0) }} />
            )}
            {name}
          </button>
          <Figures
            gpu={history && historyOf(history, name)}
            hasRentals={history?.hasRentals ?? true}
            color={focus === undefined ? colorOf(colors.get(name) ?? 0) : undefined}
          />
        </li>
      ))}
    </ul>
  )
}

interface FiguresProps {
  gpu: GpuHistory | undefined
  hasRentals: boolean
  /** The colour of the GPU type beside others. */
  color: string | undefined
}

function Figures({ gpu, hasRentals, color }: FiguresProps) {
  if (gpu && gpu.pricing.timestamps.length === 0)
    return <p class="quiet">None of these machines was on the market this week.</p>
  const pulse = gpu && pulseOf(gpu, hasRentals)
  if (pulse?.gpus === 0) return <p class="quiet">None of these machines is on the market now.</p>
  return (
    <>
      <p>
        <strong class="large">{price(pulse?.rented.median)}</strong>{' '}
        <span class="quiet">/h rented median</span>
        <span class="course">
          <Sparkline values={gpu?.pricing.rented_median ?? []} color={color} />
          <Change value={pulse?.rented.week ?? null} /> <span class="quiet">7 d</span>
        </span>
      </p>
      <p class="quiet">
        {price(pulse?.available)} available · {percent(pulse?.occupancy)} of {count(pulse?.gpus)} GPUs rented
      </p>
    </>
  )
}
