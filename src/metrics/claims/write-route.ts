import { claimAnswer, claimBody, mostClaimed } from '../../../contract/claims.ts'
import { transaction } from '../../../platform/stores/postgres.ts'
import { type ClaimRoute, sourceNamed } from './claim-route.ts'
import { claimIn, claimsOf, requireShown, writeClaim } from './stored.ts'

/** PUT /api/v0/metrics/claims: which machines of a source are the account's own. */
export const writeClaimRoute: ClaimRoute = async (app, options) => {
  app.put(
    '/api/v0/metrics/claims',
    {
      config: { permissions: ['machine_write'], access: 'host' },
      schema: {
        operationId: 'writeClaim',
        summary: 'Say which machines of a source are own ones',
        description: `Replaces what the account claims of a source: by host ids, machine ids, or both, at most ${mostClaimed.hosts} and ${mostClaimed.machines}. Ids that the source has not shown
within 30 days are refused, unless they were claimed before. A machine that is claimed by its id stays when its host gets another id at the marketplace. Without ids nothing is claimed any more.
From then on the machines are own ones in the market of this source, wherever own machines count, with all of their history.`,
        tags: ['metrics'],
        body: claimBody,
        response: { 200: claimAnswer },
      },
    },
    async ({ caller, body, headers }) => {
      const { source, roster } = await sourceNamed(options, body.source)
      const claim = { source, hosts: body.hosts, machines: body.machines }
      await transaction(options.postgres, async (client) => {
        await client.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [caller.accountId])
        const before = (await claimsOf(client, caller.accountId)).find((one) => one.source === source)
        requireShown(roster, claim, before)
        await writeClaim(client, caller.accountId, claim)
      })
      app.forgetCaller(headers.authorization)
      return { success: true as const, claim: claimIn(roster, claim) }
    },
  )
}
