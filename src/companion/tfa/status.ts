import { z } from 'zod'
import { epochOut } from '../../../contract/fields.ts'
import { transaction } from '../../../platform/stores/postgres.ts'
import type { CompanionRoute } from '../context.ts'
import { countBackupCodes } from './backup-codes.ts'
import { methodsOf } from './methods.ts'

const status = z.object({
  success: z.literal(true),
  tfa_enabled: z.boolean().describe('Whether there is a confirmed method'),
  methods: z.array(
    z.object({
      id: z.int(),
      tfa_method: z.enum(['totp', 'sms']),
      label: z.string(),
      phone_number: z.string().nullable().describe('Masked except for the last three digits'),
      created_at: epochOut,
    }),
  ),
  backup_codes_remaining: z.int(),
})

export const tfaStatus: CompanionRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/tfa/status',
    {
      config: { permissions: ['user_read'], access: 'person', refusal: 'team_user_forbidden' },
      schema: {
        summary: 'List 2FA methods',
        description: 'The confirmed methods, oldest first, and how many backup codes are left.',
        tags: ['2fa'],
        response: { 200: status },
      },
    },
    ({ caller }) =>
      transaction(postgres, async (client) => {
        const account = { id: caller.accountId, client }
        const methods = await methodsOf(account)
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
          backup_codes_remaining: await countBackupCodes(account),
        }
      }),
  )
}
