import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { epochOut, idOf } from '../../../contract/fields.ts'
import { invalidArgs, notFound } from '../../../platform/errors.ts'
import { accountTransaction } from '../../../platform/stores/postgres.ts'
import { loadSql } from '../../../platform/stores/sql.ts'
import type { CompanionOptions } from '../options.ts'
import { publicKey } from './public-key.ts'

const mostKeys = 200

const sshKey = z.object({
  id: z.int(),
  user_id: z.int(),
  public_key: z.string(),
  created_at: epochOut,
  deleted_at: z.null().describe('Deleted keys are not listed'),
})
type SshKey = z.infer<typeof sshKey>

/** GET /api/v0/ssh (SPEC.md, endpoint 10), and adding and deleting keys (ours). */
export const sshRoute: FastifyPluginAsyncZod<CompanionOptions> = async (app, { postgres }) => {
  app.get(
    '/api/v0/ssh',
    {
      config: { permissions: ['user_read'] },
      schema: {
        summary: 'SSH keys of the account',
        description:
          'All active SSH public keys of the account that the key acts for, in the order they were added.',
        tags: ['ssh'],
        response: { 200: z.array(sshKey) },
      },
    },
    async ({ caller }) => {
      const { rows } = await postgres.query<SshKey>(loadSql('postgres/queries/ssh/list'), [caller.accountId])
      return rows
    },
  )

  app.post(
    '/api/v0/ssh',
    {
      config: { permissions: ['user_write'] },
      schema: {
        summary: 'Register an SSH key',
        description: `One line of OpenSSH's format. A key that is there already comes back as it is. At most ${mostKeys}.`,
        tags: ['ssh'],
        body: z.object({ ssh_key: publicKey }),
        response: { 200: z.object({ success: z.literal(true), key: sshKey }) },
      },
    },
    async ({ caller, body }) => {
      const key = await accountTransaction(postgres, caller.accountId, async (client) => {
        await client.query(
          `INSERT INTO ssh_keys (account_id, public_key) VALUES ($1, $2)
           ON CONFLICT (account_id, public_key) WHERE deleted_at IS NULL DO NOTHING`,
          [caller.accountId, body.ssh_key],
        )
        const { rows } = await client.query<SshKey>(loadSql('postgres/queries/ssh/list'), [caller.accountId])
        if (rows.length > mostKeys) throw invalidArgs(`At most ${mostKeys} SSH keys`)
        return rows.find(({ public_key }) => public_key === body.ssh_key) as SshKey
      })
      return { success: true as const, key }
    },
  )

  app.delete(
    '/api/v0/ssh/:id',
    {
      config: { permissions: ['user_write'], errors: { 404: "Not a key of the caller's: `not_found`" } },
      schema: {
        summary: 'Delete an SSH key',
        tags: ['ssh'],
        params: z.object({ id: z.string() }),
        response: { 200: z.object({ success: z.literal(true) }) },
      },
    },
    async ({ caller, params }) => {
      const { rowCount } = await postgres.query(
        'UPDATE ssh_keys SET deleted_at = now() WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL',
        [idOf(params.id), caller.accountId],
      )
      if (rowCount === 0) throw notFound('There is no such SSH key')
      return { success: true as const }
    },
  )
}
