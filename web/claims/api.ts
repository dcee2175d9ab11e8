import { useQuery, useQueryClient } from '@tanstack/preact-query'
import type { z } from 'zod'
import type { ClaimedIds, ClaimLookup, claimsAnswer } from '../../contract/claims.ts'
import { requestJson } from '../api/client.ts'
import { key } from '../session.ts'

const root = 'api/v0/metrics/claims'

/** The ids that are claimed. */
/** The account's claim in a source; null: none. */
export const useClaim = (source: string) =>
  useQuery({
    queryKey: ['claims', key.value, source],
    queryFn: async ({ signal }) => {
      const path = `${root}?${new URLSearchParams({ source })}`
      const { claims } = await requestJson<z.infer<typeof claimsAnswer>>(path, { signal })
      return claims[0] ?? null
    },
  })

/** The actions on the claim of a source. */
export function useClaimActions(source: string) {
  const queryClient = useQueryClient()
  return {
    find: (id: string) => requestJson<ClaimLookup>(`${root}/find?${new URLSearchParams({ source, id })}`),
    /** `key`: the host's key at the marketplace; null: delete it; undefined: keep it. */
    async write(ids: ClaimedIds, key?: string | null): Promise<void> {
      await requestJson(root, { method: 'PUT', body: { source, ...ids, key } })
      // The account may now have access to the market.
      await queryClient.invalidateQueries()
    },
  }
}
