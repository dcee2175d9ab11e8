import { Dropdown } from '../components/dropdown.tsx'
import { onDemand } from '../components/on-demand.tsx'
import { stretch } from '../format.ts'
import type { Span, View } from '../view.ts'
import { parts } from './parts.ts'

const RangeForm = onDemand(async () => (await parts.range()).RangeForm)

interface CustomRangeProps {
  view: View
  /** The present range. */
  span: Span
  change: (changes: Partial<View>) => void
}

/** A range with chosen ends. */
export function CustomRange({ view, span, change }: CustomRangeProps) {
  const isChosen = view.range === 'custom'
  return (
    <Dropdown label={isChosen ? stretch(span.from, span.to, view.zone) : 'Custom'} isChosen={isChosen}>
      {(close) => (
        <RangeForm
          span={span}
          zone={view.zone}
          onChoose={(from, to) => {
            close()
            change({ range: 'custom', from, to })
          }}
        />
      )}
    </Dropdown>
  )
}
