import type { ApiFailure } from '../api/client.ts'
import { sentence } from '../format.ts'

interface StatusProps {
  /** Whether there is an earlier answer to look at. */
  hasData: boolean
  error: ApiFailure | null
  retry: () => void
}

/** Why the figures could not be refreshed. */
export const Status = ({ hasData, error, retry }: StatusProps) =>
  error && (
    <p class="banner trouble" role="alert">
      <strong>{sentence(error.message)}</strong> {hasData && 'Showing earlier data.'}{' '}
      <button type="button" class="plain" onClick={retry}>
        Try again
      </button>
    </p>
  )
