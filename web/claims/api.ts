import { useQuery, useQueryClient } from '@tanstack/preact-query'
import type { z } from 'zod'
import type { ClaimedIds, ClaimLookup, claimsAnswer } from '../../contract/claims.ts'
import { requestJson } from '../api/client.ts'
import { key } from '../session.ts'

const root = 'api/v0/metrics/claims'

/** The ids that are claimed. */
/** What the account claims of a source; null: nothing. */
export const useClaim = (source: string) =>
  useQuery({
    queryKey: ['claims', key.value, source],
    queryFn: async ({ signal }) => {
      const path = `${root}?${new URLSearchParams({ source })}`
      const { claims } = await requestJson<z.infer<typeof claimsAnswer>>(path, { signal })
      return claims[0] ?? null
    },
  })

/** What can be done with the claim of a source. */
export function useClaimActions(source: string) {
  const queryClient = useQueryClient()
  return {
    find: (id: string) => requestJson<ClaimLookup>(`${root}/find?${new URLSearchParams({ source, id })}`),
    /** `key`: that of the host at the marketplace; null: it is forgotten; undefined: it stays. */
    async write(ids: ClaimedIds, key?: string | null): Promise<void> {
      await requestJson(root, { method: 'PUT', body: { source, ...ids, key } })
      // The market may be open from now on.
      await queryClient.invalidateQueries()
    },
  }
}
