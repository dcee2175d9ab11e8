import { type QueryState, troubleOf } from '../api/queries.ts'
import { passes } from '../api/return.ts'
import { sentence } from '../format.ts'

interface StatusProps {
  of: readonly (QueryState & { refetch: () => unknown })[]
  /** True if an earlier answer is shown. */
  hasData: boolean
}

/** Shows why figures could not be read or refreshed, and offers a retry. */
export function Status({ of: questions, hasData }: StatusProps) {
  const trouble = questions.map(troubleOf).find(Boolean)
  if (!trouble) return null
  return (
    <p class="banner trouble" role="alert">
      <strong>{sentence(trouble.message)}</strong> {hasData && 'Showing earlier data. '}
      {passes(trouble) && 'The page keeps trying. '}
      <button
        type="button"
        class="plain"
        onClick={() => {
          for (const question of questions) if (troubleOf(question)) question.refetch()
        }}
      >
        Try again
      </button>
    </p>
  )
}
