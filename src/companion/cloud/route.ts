import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { providers } from '../../../contract/copytool.ts'
import { epochOut, idOf } from '../../../contract/fields.ts'
import { invalidArgs, notFound } from '../../../platform/errors.ts'
import { accountTransaction } from '../../../platform/stores/postgres.ts'
import { loadSql } from '../../../platform/stores/sql.ts'
import type { CompanionOptions } from '../options.ts'
import { sealCredentials } from './credentials.ts'
import { connectionBody } from './providers.ts'

const mostConnections = 50

const connection = z.object({
  id: z.int(),
  name: z.string(),
  cloud_type: z.enum(providers),
  created_at: epochOut,
})
type Connection = z.infer<typeof connection>

/** Cloud connections of an account. Ours, not in SPEC.md; paths as usual in the field. Credentials go in and never come out. */
export const cloudRoute: FastifyPluginAsyncZod<CompanionOptions> = async (app, { postgres, vault }) => {
  app.get(
    '/api/v0/users/cloud_integrations',
    {
      config: { permissions: ['user_read'] },
      schema: {
        summary: 'Cloud connections of the account',
        description: 'In the order they were made; without their credentials.',
        tags: ['cloud'],
        response: { 200: z.array(connection) },
      },
    },
    async ({ caller }) => {
      const { rows } = await postgres.query<Connection>(loadSql('postgres/queries/cloud/list'), [
        caller.accountId,
      ])
      return rows
    },
  )

  app.post(
    '/api/v0/users/cloud_integrations',
    {
      config: { permissions: ['user_write'] },
      schema: {
        summary: 'Connect a cloud account',
        description: `The credentials are those of an rclone remote of this type, encrypted at rest and only ever given to the host that copies for you.
A connection of the same name is replaced. At most ${mostConnections}.`,
        tags: ['cloud'],
        body: connectionBody,
        response: { 200: z.object({ success: z.literal(true), id: z.int() }) },
      },
    },
    async ({ caller, body }) => {
      const sealed = sealCredentials(vault, caller.accountId, body.credentials)
      const id = await accountTransaction(postgres, caller.accountId, async (client) => {
        const { rows } = await client.query<Connection>(loadSql('postgres/queries/cloud/list'), [
          caller.accountId,
        ])
        const same = rows.find(({ name }) => name === body.name)
        if (same) {
          await client.query(
            'UPDATE cloud_connections SET provider = $2, credentials_sealed = $3 WHERE id = $1',
            [same.id, body.cloud_type, sealed],
          )
          return same.id
        }
        if (rows.length >= mostConnections) throw invalidArgs(`At most ${mostConnections} connections`)
        const { rows: made } = await client.query<{ id: number }>(
          'INSERT INTO cloud_connections (account_id, name, provider, credentials_sealed) VALUES ($1, $2, $3, $4) RETURNING id',
          [caller.accountId, body.name, body.cloud_type, sealed],
        )
        return (made[0] as { id: number }).id
      })
      return { success: true as const, id }
    },
  )

  app.delete(
    '/api/v0/users/cloud_integrations/:id',
    {
      config: {
        permissions: ['user_write'],
        errors: { 404: "Not a connection of the caller's: `not_found`" },
      },
      schema: {
        summary: 'Delete a cloud connection',
        description: 'Its credentials are forgotten, and copies with it that are not finished are given up.',
        tags: ['cloud'],
        params: z.object({ id: z.string() }),
        response: { 200: z.object({ success: z.literal(true) }) },
      },
    },
    async ({ caller, params }) => {
      const { rowCount } = await postgres.query(loadSql('postgres/queries/cloud/delete'), [
        caller.accountId,
        idOf(params.id),
      ])
      if (rowCount === 0) throw notFound('There is no such cloud connection')
      return { success: true as const }
    },
  )
}
