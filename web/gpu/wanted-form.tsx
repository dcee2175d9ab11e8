import { Status } from '../components/status.tsx'
import type { useView } from '../view.ts'
import { type BookOf, useBook } from './book-answers.ts'
import { answerOf } from './wanted-answer.ts'
import { WantedFields } from './wanted-fields.tsx'

interface WantedFormProps extends BookOf {
  change: ReturnType<typeof useView>[1]
  /** True if the page already reports an error. */
  isTold: boolean
}

/** The form for "can I get this many GPUs at this price?": now, and in which share of the hours. */
export function WantedForm({ change, isTold, ...about }: WantedFormProps) {
  const { view, name } = about
  const { depths, availabilities } = useBook(about)
  // An answer about another GPU type has no data of this one.
  const depth = depths.isPlaceholderData ? undefined : depths.data?.gpus[name]
  const availability = availabilities.isPlaceholderData ? undefined : availabilities.data?.gpus[name]
  return (
    <>
      <h2>Find GPUs</h2>
      <form class="wanted" aria-label="Find GPUs" onSubmit={(event) => event.preventDefault()}>
        <WantedFields view={view} change={change} placeholder="any price" />
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
      {!isTold && <Status of={[depths, availabilities]} hasData={depths.data !== undefined} />}
    </>
  )
}
