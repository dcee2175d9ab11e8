import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type pg from 'pg'
import { z } from 'zod'
import { epoch, epochOut, id, idOf } from '../../../contract/fields.ts'
import { permissionsObject } from '../../../contract/permissions.ts'
import { forbidden, invalidArgs, notFound } from '../../../platform/errors.ts'
import { createKey } from '../../../platform/security/api-keys.ts'
import type { Caller } from '../../../platform/security/auth.ts'
import { covers } from '../../../platform/security/permissions.ts'
import { accountTransaction, type Postgres } from '../../../platform/stores/postgres.ts'
import { loadSql } from '../../../platform/stores/sql.ts'
import type { CompanionOptions } from '../options.ts'

const mostKeys = 100

const apiKey = z.object({
  id: z.int(),
  user_id: z.int().describe('The account that it acts for: a person or a team'),
  name: z.string(),
  prefix: z.string().describe('The public part of the key: rr_<prefix>_…'),
  permissions: permissionsObject,
  created_at: epochOut,
  expires_at: epochOut.nullable(),
  last_used_at: epochOut.nullable(),
})
type ApiKey = z.infer<typeof apiKey>

/** API keys of a person. Ours, not in SPEC.md; paths as usual in the field. */
export const keysRoute: FastifyPluginAsyncZod<CompanionOptions> = async (app, { postgres }) => {
  // A person's key sees to all keys of the person, a team's key only to those for the team.
  const reachOf = ({ kind, accountId, createdBy }: Caller) => [createdBy, kind === 'team' ? accountId : null]
  const keysOf = async (caller: Caller, client: Postgres | pg.PoolClient = postgres) =>
    (await client.query<ApiKey>(loadSql('postgres/queries/keys/list'), reachOf(caller))).rows

  app.get(
    '/api/v0/auth/apikeys',
    {
      config: { permissions: ['user_read'] },
      schema: {
        summary: 'Own API keys',
        description: `The living keys of the person who asks, those that act for teams included (asked with a team's key: only those for the team), in the
order they were made. Never the keys themselves.`,
        tags: ['api keys'],
        response: { 200: z.array(apiKey) },
      },
    },
    ({ caller }) => keysOf(caller),
  )

  app.post(
    '/api/v0/auth/apikeys',
    {
      config: {
        permissions: ['user_write'],
        errors: { 404: 'Not a team that the person belongs to: `not_found`' },
      },
      schema: {
        summary: 'Make an API key',
        description: `For the person, or (\`team_id\`) for a team of theirs, where it does no more than their role. It can't do more than the key that makes it, and it's
shown this once. At most ${mostKeys}.`,
        tags: ['api keys'],
        body: z.object({
          name: z.string().trim().max(100).nullish(),
          permissions: permissionsObject.nullish().describe('Default: those of the key that makes it'),
          team_id: id.nullish(),
          expires_at: epoch
            .nullish()
            .describe('Unix seconds. Default, and at most: when the key that makes it ends'),
        }),
        response: { 200: z.object({ success: z.literal(true), id: z.int(), key: z.string() }) },
      },
    },
    async ({ caller, body }) => {
      const permissions = body.permissions ?? caller.permissions
      if (!covers(caller.permissions, permissions))
        throw forbidden('A key can not allow more than the one that makes it')
      const asked = body.expires_at == null ? undefined : new Date(body.expires_at * 1000)
      if (asked && asked.getTime() <= Date.now()) throw invalidArgs('expires_at is past')
      // A key does not outlive the one that makes it.
      const expiresAt = !caller.expiresAt || (asked && asked < caller.expiresAt) ? asked : caller.expiresAt
      const accountId = body.team_id ?? caller.accountId
      const made = await accountTransaction(postgres, caller.createdBy, async (client) => {
        if ((await keysOf(caller, client)).length >= mostKeys)
          throw invalidArgs(`At most ${mostKeys} API keys`)
        if (accountId !== caller.accountId) {
          const { rowCount } = await client.query(loadSql('postgres/queries/team/of_person'), [
            accountId,
            caller.createdBy,
          ])
          if (caller.kind === 'team' || rowCount === 0) throw notFound('There is no such team')
        }
        const { createdBy } = caller
        return createKey(client, { accountId, createdBy, name: body.name ?? '', permissions, expiresAt })
      })
      return { success: true as const, ...made }
    },
  )

  app.delete(
    '/api/v0/auth/apikeys/:id',
    {
      config: {
        permissions: ['user_write'],
        errors: { 404: "Not a living key of the person's: `not_found`" },
      },
      schema: {
        summary: 'Revoke an API key',
        description: 'It answers 401 within three seconds.',
        tags: ['api keys'],
        params: z.object({ id: z.string() }),
        response: { 200: z.object({ success: z.literal(true) }) },
      },
    },
    async ({ caller, params }) => {
      const { rowCount } = await postgres.query(
        `UPDATE api_keys SET revoked_at = now()
         WHERE created_by = $1 AND account_id = coalesce($2, account_id) AND id = $3 AND revoked_at IS NULL`,
        [...reachOf(caller), idOf(params.id)],
      )
      if (rowCount === 0) throw notFound('There is no such API key')
      return { success: true as const }
    },
  )
}
