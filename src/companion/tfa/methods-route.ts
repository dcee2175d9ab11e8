import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { epochOut, id } from '../../../contract/fields.ts'
import { notFound } from '../../../platform/errors.ts'
import { transaction } from '../../../platform/stores/postgres.ts'
import type { CompanionOptions } from '../options.ts'
import { codesLeft } from './backup-codes.ts'
import { methodsOf, proofBody, proofErrors, withProof } from './proof.ts'

const status = z.object({
  success: z.literal(true),
  tfa_enabled: z.boolean().describe('Whether there is a confirmed method'),
  methods: z.array(
    z.object({
      id: z.int(),
      tfa_method: z.enum(['totp', 'sms']),
      label: z.string(),
      phone_number: z.string().nullable().describe('All but the last three digits hidden'),
      created_at: epochOut,
    }),
  ),
  backup_codes_remaining: z.int(),
})

/** What 2FA an account has, and taking a method away. Ours, not in SPEC.md; paths and shapes as usual in the field. */
export const tfaMethodsRoute: FastifyPluginAsyncZod<CompanionOptions> = async (app, { postgres, vault }) => {
  app.get(
    '/api/v0/tfa/status',
    {
      config: { permissions: ['user_read'], access: 'person', refusal: 'team_user_forbidden' },
      schema: {
        summary: '2FA methods of the account',
        description: 'The confirmed methods, oldest first, and how many backup codes are left.',
        tags: ['2fa'],
        response: { 200: status },
      },
    },
    async ({ caller }) => {
      const person = caller.accountId
      return transaction(postgres, async (client) => {
        const methods = await methodsOf(client, person)
        return {
          success: true as const,
          tfa_enabled: methods.length > 0,
          methods: methods.map(({ id, kind, label, phone, created_at }) => ({
            id,
            tfa_method: kind,
            label,
            phone_number: phone?.replaceAll(/\d(?=\d{3})/g, '*') ?? null,
            created_at,
          })),
          backup_codes_remaining: await codesLeft(client, person),
        }
      })
    },
  )

  app.delete(
    '/api/v0/tfa',
    {
      config: {
        permissions: ['user_write'],
        access: 'person',
        refusal: 'team_user_forbidden',
        errors: { ...proofErrors, 404: 'Unknown `tfa_method_id` or `target_id`: `not_found`' },
      },
      schema: {
        summary: 'Remove a 2FA method',
        description:
          'Takes a proof like the regeneration of backup codes. With the last method the backup codes go, too.',
        tags: ['2fa'],
        body: proofBody.extend({ target_id: id.describe('The method to remove') }),
        response: { 200: z.object({ success: z.literal(true), remaining_methods: z.int() }) },
      },
    },
    async ({ caller, body }) => {
      const person = caller.accountId
      const left = await withProof(postgres, vault, person, body, async (client) => {
        const { rowCount } = await client.query(
          `UPDATE tfa_methods SET deleted_at = now() WHERE id = $1 AND account_id = $2 AND confirmed_at IS NOT NULL AND deleted_at IS NULL`,
          [body.target_id, person],
        )
        if (rowCount === 0) throw notFound('There is no such 2FA method')
        const { length } = await methodsOf(client, person)
        if (length === 0) await client.query('DELETE FROM backup_codes WHERE account_id = $1', [person])
        return length
      })
      return { success: true as const, remaining_methods: left }
    },
  )
}
