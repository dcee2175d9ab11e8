import { claimAnswer, claimBody, mostClaimed } from '../../../contract/claims.ts'
import { keyTestsPerHour } from '../../../platform/http/limits.ts'
import { lockAccount } from '../../../platform/security/lock-account.ts'
import { transaction } from '../../../platform/stores/postgres.ts'
import { type ClaimRoute, sourceNamed } from './claim-route.ts'
import { forgetKey, keepKey, testKey, withKey } from './host-key.ts'
import { claimIn, claimsOf, requireShown, writeClaim } from './stored.ts'

const keyTestLimit = `Too many requests, or more than ${keyTestsPerHour.account} tests of a key in an hour by the account, or ${keyTestsPerHour.site} by all accounts: \`too_many_requests\`. See the header Retry-After`

/** PUT /api/v0/metrics/claims: claims machines of a source for the account. */
export const writeClaimRoute: ClaimRoute = async (app, options) => {
  app.put(
    '/api/v0/metrics/claims',
    {
      config: {
        permissions: ['machine_write'],
        access: 'host',
        errors: {
          422: "The key was not saved: `key_refused` (the marketplace rejects it), `key_not_tested` (the marketplace cannot be reached), `no_machines` (the key's account has no claimed machines)",
          429: keyTestLimit,
        },
      },
      schema: {
        operationId: 'writeClaim',
        summary: 'Claim machines of a source',
        description: `Replaces the account's claim on a source: by host ids, machine ids, or both, at most ${mostClaimed.hosts} and
${mostClaimed.machines}. Ids that the source has not shown within 30 days are refused, unless they were claimed before. A machine claimed by its id
stays claimed when its host id changes. Without ids nothing is claimed. The claimed machines, with their whole history, are the account's own in the
market of this source. With \`key\`, the API key of the host's account at the marketplace, the claim is proven and actual earnings are read. The ids
may then be omitted: all machines of the key are claimed.`,
        tags: ['metrics'],
        body: claimBody,
        response: { 200: claimAnswer },
      },
    },
    async ({ caller, body, headers }) => {
      const { accountId } = caller
      const { source, roster, ...market } = await sourceNamed(options, body.source)
      if (body.key) await app.countKeyTest(accountId)
      const tested = body.key
        ? await testKey({ ...market, clock: options.clock }, source, body.key)
        : undefined
      const { hosts, machines } = withKey(roster, body, tested)
      const after = await transaction(
        options.postgres,
        async (client) => {
          await lockAccount(client, accountId)
          const claimOf = async () => (await claimsOf(client, accountId)).find((one) => one.source === source)
          requireShown(roster, { source, hosts, machines }, await claimOf())
          await writeClaim(client, accountId, { source, hosts, machines })
          if (body.key === null) await forgetKey(client, accountId, source)
          if (tested) await keepKey(client, options.vault, { accountId, source, tested })
          return claimOf()
        },
        caller,
      )
      app.forgetCaller(headers.authorization)
      const nothing = { source, hosts, machines, shown: [], proof: null }
      return { success: true as const, claim: claimIn(roster, after ?? nothing) }
    },
  )
}
