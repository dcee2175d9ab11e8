import type { GpuAvailability } from '../../contract/availability.ts'
import type { GpuDepth } from '../../contract/depth.ts'
import type { useView, View } from '../view.ts'
import { answerOf } from './wanted-answer.ts'

interface WantedFormProps {
  view: View
  change: ReturnType<typeof useView>[1]
  depth: GpuDepth | undefined
  availability: GpuAvailability | undefined
}

/** What is typed next replaces the number. */
const selectAll = ({ currentTarget }: { currentTarget: HTMLInputElement }) => currentTarget.select()

/** “Can I get so many GPUs at this price?”, now and how often. */
export function WantedForm({ view, change, depth, availability }: WantedFormProps) {
  return (
    <form class="wanted" aria-label="Can I get them?" onSubmit={(event) => event.preventDefault()}>
      <label>
        GPUs needed
        <input
          type="number"
          min={1}
          max={1_000_000}
          value={view.need}
          onClick={selectAll}
          onChange={({ currentTarget }) =>
            change({ need: Math.max(1, Math.round(Number(currentTarget.value))) }, { replace: true })
          }
        />
      </label>
      <label>
        At most, USD/h each
        <input
          type="number"
          min={0}
          step="any"
          placeholder="any price"
          value={view.most}
          onClick={selectAll}
          onChange={({ currentTarget }) => change({ most: currentTarget.value }, { replace: true })}
        />
      </label>
      <label>
        <input
          type="checkbox"
          checked={view.together === 'yes'}
          onChange={() => change({ together: view.together === 'yes' ? 'no' : 'yes' }, { replace: true })}
        />
        On one machine
      </label>
      <output aria-live="polite">{depth && answerOf(view, depth, availability)}</output>
    </form>
  )
}
