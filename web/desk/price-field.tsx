import { CopyButton } from '../components/copy-button.tsx'
import { TypedNumber } from '../components/typed-number.tsx'
import { plain, price as written } from '../format.ts'

interface PriceFieldProps {
  price: number
  /** The ends of the slider. */
  from: number
  to: number
  /** Called while the slider is moved, and when it is released. */
  onMove: (price: number) => void
  onChoose: (price: number) => void
}

/** The decimals of chosen prices: fine enough for a hundredth of the range. */
const stepOf = (from: number, to: number): number =>
  10 ** Math.min(-2, Math.floor(Math.log10(Math.max(1e-6, to - from) / 100)))

/** The price, by a slider or as a number. */
export function PriceField({ price, from, to, onMove, onChoose }: PriceFieldProps) {
  const step = stepOf(from, to)
  const rounded = (value: string) => Number((Math.round(Number(value) / step) * step).toFixed(9))
  return (
    <div class="price-field">
      <TypedNumber
        label="Price, USD per GPU-hour"
        class="amount"
        min={0}
        max={1_000_000}
        step="any"
        value={plain(price)}
        onChange={(text) => Number(text) > 0 && onChoose(Number(text))}
      />
      <input
        type="range"
        aria-label="Price"
        aria-valuetext={written(price)}
        min={Math.floor(from / step) * step}
        max={Math.ceil(to / step) * step}
        step={step}
        value={price}
        style={{ '--at': `${(100 * (price - from)) / (to - from || 1)}%` }}
        onInput={({ currentTarget }) => onMove(rounded(currentTarget.value))}
        onChange={({ currentTarget }) => onChoose(rounded(currentTarget.value))}
      />
      <CopyButton label="Copy the price" text={() => plain(price)} />
    </div>
  )
}
