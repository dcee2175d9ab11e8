import { useSignal } from '@preact/signals'
import { dialogOnDemand } from '../components/dialog-on-demand.tsx'
import type { PriceChange } from './price-requests.ts'

// Loaded at a press, so that the first page is smaller.
const PriceReviewDialog = dialogOnDemand(
  async () => (await import('./price-review-dialog.tsx')).PriceReviewDialog,
)

interface PriceReviewProps {
  changes: readonly PriceChange[]
  /** The text of the button. */
  label: string
  /** True beside another filled button. */
  quiet?: boolean
  /** Called when the prices were set or refused. */
  onDone?: () => void
}

/** Shows chosen prices before they are set once by hand, and the results afterwards. */
export function PriceReview({ changes, label, quiet = false, onDone }: PriceReviewProps) {
  const reviewed = useSignal<readonly PriceChange[]>()
  const said = useSignal<string[]>([])
  return (
    <div class="price-review">
      <button
        type="button"
        class={quiet ? 'outline' : undefined}
        disabled={changes.length === 0}
        onClick={() => {
          reviewed.value = changes
        }}
      >
        {label}
      </button>
      {reviewed.value && (
        <PriceReviewDialog
          changes={reviewed.value}
          onClose={() => {
            reviewed.value = undefined
          }}
          onDone={(lines) => {
            said.value = lines
            onDone?.()
          }}
        />
      )}
      <output aria-live="polite">
        {said.value.map((line) => (
          <div key={line}>{line}</div>
        ))}
      </output>
    </div>
  )
}
