import { claimQuery } from '../../../contract/claims.ts'
import { success } from '../../../contract/fields.ts'
import { type ClaimRoute, sourceNamed } from './claim-route.ts'
import { forgetClaim } from './stored.ts'

/** DELETE /api/v0/metrics/claims: the account has no machines of its own in a source any more. */
export const forgetClaimRoute: ClaimRoute = async (app, options) => {
  app.delete(
    '/api/v0/metrics/claims',
    {
      config: { permissions: ['machine_write'], access: 'host' },
      schema: {
        operationId: 'forgetClaim',
        summary: 'Claim no machines of a source any more',
        description:
          'Costs that were entered for them are kept, and hold again when they are claimed again. Where nothing is claimed, nothing happens.',
        tags: ['metrics'],
        querystring: claimQuery,
        response: { 200: success },
      },
    },
    async ({ caller, query, headers }) => {
      const { source } = await sourceNamed(options, query.source)
      await forgetClaim(options.postgres, caller.accountId, source)
      app.forgetCaller(headers.authorization)
      return { success: true as const }
    },
  )
}
