import { z } from 'zod'
import { epoch, id } from '../../../contract/fields.ts'
import { permissionsObject } from '../../../contract/permissions.ts'
import { forbidden, invalidArgs, notFound } from '../../../platform/errors.ts'
import { answerOnce, idempotencyErrors, idempotencyHeaders } from '../../../platform/http/idempotency.ts'
import { createKey } from '../../../platform/security/api-keys.ts'
import type { Caller } from '../../../platform/security/auth.ts'
import { covers } from '../../../platform/security/permissions.ts'
import { type Account, type CompanionRoute, withAccount } from '../context.ts'
import { keysOf, mostKeys } from './keys.ts'

const newKey = z.object({
  name: z.string().trim().max(100).nullish(),
  permissions: permissionsObject.nullish().describe('Default: the permissions of the key that creates it'),
  team_id: id.nullish().describe('A team of the person for which the key acts. Default: the person'),
  expires_at: epoch.nullish().describe('Default and latest: when the key that creates it expires'),
})

export const createApiKey: CompanionRoute = async (app, companion) => {
  app.post(
    '/api/v0/auth/apikeys',
    {
      config: {
        permissions: ['user_write'],
        errors: { 404: 'The person does not belong to this team: `not_found`', ...idempotencyErrors },
      },
      schema: {
        operationId: 'createApiKey',
        summary: 'Create an API key',
        description: `Creates a key that acts for the person or, with \`team_id\`, for one of the person's teams. A team's key never allows more than the person's role.
A key cannot allow more than the key that creates it. The key is returned only here. A person can have ${mostKeys} keys.`,
        tags: ['api keys'],
        headers: idempotencyHeaders,
        body: newKey,
        response: {
          200: z.object({
            success: z.literal(true),
            id: z.int(),
            key: z.string(),
            permissions: permissionsObject,
          }),
        },
      },
    },
    async (request) => {
      const { caller, body } = request
      const permissions = body.permissions ?? caller.permissions
      if (!covers(caller.permissions, permissions))
        throw forbidden('A key cannot allow more than the key that creates it')
      const expiresAt = expiryOf(caller, body.expires_at, companion.clock.now())
      const accountId = body.team_id ?? caller.accountId
      const { createdBy } = caller
      return withAccount({ ...companion, caller }, createdBy, (person) =>
        answerOnce(person.client, { request, vault: person.vault }, async () => {
          if ((await keysOf(person.client, caller)).length >= mostKeys)
            throw invalidArgs(`A person can have at most ${mostKeys} API keys`)
          if (accountId !== caller.accountId) await requireTeam(person, caller, accountId)
          const key = { accountId, createdBy, name: body.name ?? '', permissions, expiresAt }
          return { success: true as const, ...(await createKey(person.client, key)), permissions }
        }),
      )
    },
  )
}

/** A key expires no later than the key that creates it. Throws 400 for a time in the past. */
function expiryOf(caller: Caller, seconds: number | null | undefined, now: number): Date | undefined {
  if (seconds != null && seconds <= now) throw invalidArgs('expires_at must be in the future')
  const asked = seconds == null ? undefined : new Date(seconds * 1000)
  return !caller.expiresAt || (asked && asked < caller.expiresAt) ? asked : caller.expiresAt
}

async function requireTeam({ id, client }: Account, caller: Caller, teamId: number): Promise<void> {
  const { rowCount } = await client.query('team/of_person', [teamId, id])
  if (caller.kind === 'team' || rowCount === 0) throw notFound('There is no such team')
}
