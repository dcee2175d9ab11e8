import { z } from 'zod'
import { transaction } from '../../../platform/stores/postgres.ts'
import type { CompanionRoute } from '../context.ts'
import { findAuthorization } from './authorization.ts'
import { countBackupCodes } from './backup-codes.ts'
import { methodsOf, showMethod, shownMethod } from './methods.ts'

const status = z.object({
  success: z.literal(true),
  tfa_enabled: z.boolean().describe('true: there is a confirmed method'),
  methods: z.array(shownMethod),
  backup_codes_remaining: z.int(),
  new_method_authorized: z.boolean().describe('true: a new method may be confirmed without another proof'),
})

export const tfaStatus: CompanionRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/tfa/status',
    {
      config: { permissions: ['user_read'], access: 'person', refusal: 'team_user_forbidden' },
      schema: {
        operationId: 'getTfaStatus',
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
          methods: methods.map((method) => showMethod(account.id, method)),
          backup_codes_remaining: await countBackupCodes(account),
          new_method_authorized: (await findAuthorization(account))?.is_granted ?? false,
        }
      }),
  )
}
