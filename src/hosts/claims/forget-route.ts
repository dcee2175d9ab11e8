import { claimQuery } from '../../../contract/claims.ts'
import { success } from '../../../contract/fields.ts'
import { acting } from '../../../platform/stores/postgres.ts'
import { type ClaimRoute, sourceNamed } from './claim-route.ts'
import { forgetClaim } from './stored.ts'

/** DELETE /api/v0/metrics/claims: removes all own machines of the account in a source. */
export const forgetClaimRoute: ClaimRoute = async (app, options) => {
  app.delete(
    '/api/v0/metrics/claims',
    {
      config: { permissions: ['machine_write'], access: 'host' },
      schema: {
        operationId: 'forgetClaim',
        summary: 'Delete the claim on a source',
        description:
          'Costs entered for its machines are kept and apply again if the machines are claimed again. Without a claim, the request has no effect.',
        tags: ['metrics'],
        querystring: claimQuery,
        response: { 200: success },
      },
    },
    async ({ caller, query, headers }) => {
      const { source } = await sourceNamed(options, query.source)
      await forgetClaim(acting(options.postgres, caller), caller.accountId, source)
      app.forgetCaller(headers.authorization)
      return { success: true as const }
    },
  )
}
