import { type Query, useQueryClient } from '@tanstack/preact-query'
import { type QueryState, troubleOf } from '../api/queries.ts'
import { passes } from '../api/return.ts'
import { sentence } from '../format.ts'

interface StatusProps {
  of: readonly QueryState[]
  /** True if an earlier answer is shown. */
  hasData: boolean
}

const hasFailed = ({ state }: Query) => state.status === 'error' || state.fetchFailureCount > 0

/** Shows why figures could not be read or refreshed. One retry is for all parts of the page: others may have failed without a word. */
export function Status({ of: questions, hasData }: StatusProps) {
  const queryClient = useQueryClient()
  const trouble = questions.map(troubleOf).find(Boolean)
  if (!trouble) return null
  return (
    <p class={passes(trouble) || hasData ? 'banner trouble' : 'banner trouble final'} role="alert">
      <strong>{sentence(trouble.message)}</strong> {hasData && 'Showing earlier data. '}
      {passes(trouble) && 'The page keeps trying. '}
      <button
        type="button"
        class="plain"
        onClick={() => queryClient.refetchQueries({ type: 'active', predicate: hasFailed })}
      >
        Try again
      </button>
    </p>
  )
}
