import { ladder, usualInterval } from '../../contract/ladder.ts'
import { Buttons } from '../components/buttons.tsx'
import { Select } from '../components/select.tsx'
import { duration } from '../format.ts'
import { ranges, type Span, type useView, useZoom, type View } from '../view.ts'
import { CustomRange } from './custom-range.tsx'

interface TimeFiltersProps {
  view: View
  change: ReturnType<typeof useView>[1]
  /** What is shown now. */
  span: Span
  /** The step of what is shown, which the server raises where there would be too many points. */
  answered: number | undefined
}

const shortestFirst = (Object.keys(ranges) as (keyof typeof ranges)[]).sort(
  (one, other) => ranges[one] - ranges[other],
)
const rangeButtons = [...shortestFirst.map((range) => [range, range] as const), ['all', 'All'] as const]
const steps = [usualInterval, ...ladder]

/** The range of time, how finely it is divided, and the zone that it is written in. */
export function TimeFilters({ view, change, span, answered }: TimeFiltersProps) {
  const { back } = useZoom([view, change])
  const offered = [...new Set([...steps, ...(view.step ? [view.step] : [])])].sort((a, b) => a - b)
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
        <button type="button" class="secondary outline" onClick={back}>
          Zoom out
        </button>
      )}
      <Select
        label="Step"
        value={String(view.step)}
        options={[
          ['0', answered && !view.step ? `Auto (${duration(answered)})` : 'Auto'],
          ...offered.map((step) => [String(step), duration(step)] as const),
        ]}
        onChange={(step) => change({ step: Number(step) })}
      />
      <Select
        label="Times in"
        value={view.zone}
        options={[
          ['local', 'Local time'],
          ['utc', 'UTC'],
        ]}
        onChange={(zone) => change({ zone })}
      />
    </>
  )
}
