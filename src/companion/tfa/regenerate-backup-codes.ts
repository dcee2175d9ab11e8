import { z } from 'zod'
import type { CompanionRoute } from '../context.ts'
import { withTfaAccount } from './account-queue.ts'
import { replaceBackupCodes } from './backup-codes.ts'
import { proofBody, proofErrors, prove } from './proof.ts'

export const regenerateBackupCodes: CompanionRoute = async (app, companion) => {
  app.put(
    '/api/v0/tfa/regen-backup-codes',
    {
      config: {
        permissions: ['user_write'],
        access: 'person',
        refusal: 'team_user_forbidden',
        errors: proofErrors,
      },
      schema: {
        operationId: 'regenerateBackupCodes',
        summary: 'Replace the 2FA backup codes',
        description: `Returns ten new codes and invalidates all old ones. The new codes are returned only here. The request needs a proof: a \`code\` of one of the
account's 2FA methods, or a \`backup_code\`. If both are given, the \`code\` is used. A code that was sent (\`sms\`, \`email\`) needs the \`secret\` that came back
when it was sent. E-mail is available whenever the account's address is verified. A code, a challenge and a TOTP step are each accepted once.`,
        tags: ['2fa'],
        body: proofBody,
        response: {
          200: z.object({
            msg: z.literal('success'),
            backup_codes: z.array(z.string()).length(10).describe('`ABCD-EFGH-JKLM`'),
          }),
        },
      },
    },
    async ({ caller, body }) => {
      const codes = await withTfaAccount(companion, caller.accountId, async (account) => {
        await prove(account, body)
        return replaceBackupCodes(account)
      })
      return { msg: 'success' as const, backup_codes: codes }
    },
  )
}
