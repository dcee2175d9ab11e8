import { ladder, usualInterval } from '../../contract/ladder.ts'
import { Buttons } from '../components/buttons.tsx'
import { Select } from '../components/select.tsx'
import { duration } from '../format.ts'
import { ranges, type View } from '../view.ts'
import { CustomRange } from './custom-range.tsx'

interface TimeFiltersProps {
  view: View
  change: (changes: Partial<View>) => void
  /** The step of what is shown, which the server raises where there would be too many points. */
  answered: number | undefined
}

const shortestFirst = (Object.keys(ranges) as (keyof typeof ranges)[]).sort(
  (one, other) => ranges[one] - ranges[other],
)
const steps = [usualInterval, ...ladder]

/** The range of time and how finely it is divided. */
export function TimeFilters({ view, change, answered }: TimeFiltersProps) {
  const wanted = [...new Set([...steps, ...(view.step ? [view.step] : [])])].sort((a, b) => a - b)
  return (
    <>
      <Buttons
        label="Range"
        value={view.range}
        options={shortestFirst.map((range) => [range, range] as const)}
        onChange={(range) => change({ range })}
      />
      <CustomRange view={view} change={change} />
      <Select
        label="Step"
        value={String(view.step)}
        options={[
          ['0', answered && !view.step ? `Auto (${duration(answered)})` : 'Auto'],
          ...wanted.map((step) => [String(step), duration(step)] as const),
        ]}
        onChange={(step) => change({ step: Number(step) })}
      />
    </>
  )
}
