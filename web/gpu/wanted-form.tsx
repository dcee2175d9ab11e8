import type { GpuAvailability } from '../../contract/availability.ts'
import type { GpuDepth } from '../../contract/depth.ts'
import { TypedNumber } from '../components/typed-number.tsx'
import { plain } from '../format.ts'
import { mostNeeded, neededOf, type useView, type View } from '../view.ts'
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
      <TypedNumber
        label="GPUs needed"
        min={1}
        max={mostNeeded}
        value={view.need}
        onClick={selectAll}
        onChange={(text) => change({ need: neededOf(Number(text)) }, { replace: true })}
      />
      <TypedNumber
        label="At most, USD/h each"
        min={0}
        step="any"
        placeholder="any price"
        value={view.most}
        onClick={selectAll}
        onChange={(text) => change({ most: Number(text) > 0 ? plain(Number(text)) : '' }, { replace: true })}
      />
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
