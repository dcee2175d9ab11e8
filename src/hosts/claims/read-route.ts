import { type Claim, claimQuery, claimsAnswer } from '../../../contract/claims.ts'
import { type ClaimRoute, openSources, rosterIn, sourceNamed } from './claim-route.ts'
import { claimIn, claimsOf } from './stored.ts'

/** GET /api/v0/metrics/claims: the account's claims, by source. */
export const readClaimsRoute: ClaimRoute = async (app, options) => {
  app.get(
    '/api/v0/metrics/claims',
    {
      config: { permissions: ['machine_read'], access: 'host' },
      schema: {
        operationId: 'readClaims',
        summary: 'Own machines in the markets of sources',
        description:
          "The account's claims on each source, or on one. Without a key of the marketplace a claim is unverified, and several accounts may claim the same machines: the data that they see is public. The key is never returned.",
        tags: ['metrics'],
        querystring: claimQuery,
        response: { 200: claimsAnswer },
      },
    },
    async ({ caller, query: { source: only } }) => {
      if (only !== undefined) await sourceNamed(options, only)
      const claims: Claim[] = []
      const sources = await openSources(options)
      for (const claim of await claimsOf(options.postgres, caller.accountId)) {
        const market = sources.find(({ source }) => source === claim.source)
        if (market && (only === undefined || claim.source === only))
          claims.push(claimIn(await rosterIn(market), claim))
      }
      return { success: true as const, claims }
    },
  )
}
