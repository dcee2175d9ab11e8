import { claimAnswer, claimBody, mostClaimed } from '../../../contract/claims.ts'
import { transaction } from '../../../platform/stores/postgres.ts'
import { type ClaimRoute, sourceNamed } from './claim-route.ts'
import { forgetKey, keepKey, testKey, withKey } from './host-key.ts'
import { claimIn, claimsOf, requireShown, writeClaim } from './stored.ts'

/** PUT /api/v0/metrics/claims: which machines of a source are the account's own. */
export const writeClaimRoute: ClaimRoute = async (app, options) => {
  app.put(
    '/api/v0/metrics/claims',
    {
      config: {
        permissions: ['machine_write'],
        access: 'host',
        errors: {
          422: 'The key was not kept: `key_refused` (the marketplace does not take it), `key_not_tested` (it cannot be asked now), `no_machines` (its account has none that are claimed)',
        },
      },
      schema: {
        operationId: 'writeClaim',
        summary: 'Say which machines of a source are own ones',
        description: `Replaces what the account claims of a source: by host ids, machine ids, or both, at most ${mostClaimed.hosts} and ${mostClaimed.machines}. Ids that the source has not shown
within 30 days are refused, unless they were claimed before. A machine that is claimed by its id stays when its host gets another id at the marketplace. Without ids nothing is claimed any more.
From then on the machines are own ones in the market of this source, wherever own machines count, with all of their history.

With \`key\`, the API key of the host's account at the marketplace, the claim is proven, and what the machines really earned is read. Then the ids may be left out: the machines of the key are claimed.`,
        tags: ['metrics'],
        body: claimBody,
        response: { 200: claimAnswer },
      },
    },
    async ({ caller: { accountId }, body, headers }) => {
      const { source, roster, ...market } = await sourceNamed(options, body.source)
      const tested = body.key
        ? await testKey({ ...market, clock: options.clock }, source, body.key)
        : undefined
      const { hosts, machines } = withKey(roster, body, tested)
      const after = await transaction(options.postgres, async (client) => {
        await client.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [accountId])
        const claimOf = async () => (await claimsOf(client, accountId)).find((one) => one.source === source)
        requireShown(roster, { source, hosts, machines }, await claimOf())
        await writeClaim(client, accountId, { source, hosts, machines })
        if (body.key === null) await forgetKey(client, accountId, source)
        if (tested) await keepKey(client, options.vault, { accountId, source, tested })
        return claimOf()
      })
      app.forgetCaller(headers.authorization)
      const nothing = { source, hosts, machines, shown: [], proof: null }
      return { success: true as const, claim: claimIn(roster, after ?? nothing) }
    },
  )
}
