import { keysOf } from '../../contract/records.ts'
import { Buttons } from '../components/buttons.tsx'
import { ranges, type Span, type useView, useZoom, type View } from '../view.ts'
import { CustomRange } from './custom-range.tsx'

interface TimeFiltersProps {
  view: View
  change: ReturnType<typeof useView>[1]
  /** The present range. */
  span: Span
}

const shortestFirst = keysOf(ranges).sort((one, other) => ranges[one] - ranges[other])
const rangeButtons = [...shortestFirst.map((range) => [range, range] as const), ['all', 'All'] as const]

/** The controls of the range. */
export function TimeFilters({ view, change, span }: TimeFiltersProps) {
  const { back } = useZoom([view, change])
  return (
    <>
      <Buttons
        label="Range"
        value={view.range}
        options={rangeButtons}
        onChange={(range) => change({ range })}
      />
      <CustomRange view={view} span={span} change={change} />
      {view.range === 'custom' && (
        <button type="button" class="secondary outline back" onClick={back}>
          Zoom out
        </button>
      )}
    </>
  )
}
