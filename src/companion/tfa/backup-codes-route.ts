import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { CompanionOptions } from '../options.ts'
import { replaceBackupCodes } from './backup-codes.ts'
import { proofBody, proofErrors, withProof } from './proof.ts'

/** PUT /api/v0/tfa/regen-backup-codes (SPEC.md, endpoint 4). */
export const backupCodesRoute: FastifyPluginAsyncZod<CompanionOptions> = async (app, { postgres, vault }) => {
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
        summary: 'Make new 2FA backup codes',
        description: `Ten new codes, shown this once; all old ones die at the same moment. Authorized by a \`code\` of one of the account's 2FA methods, or by a
\`backup_code\`. A sent code (\`sms\`, \`email\`) goes with the \`secret\` of its sending; e-mail always stands on the account's verified address. When both
\`code\` and \`backup_code\` are there, the code counts. A code, a challenge and a TOTP step are each good once.`,
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
      const person = caller.accountId
      const codes = await withProof(postgres, vault, person, body, (client) =>
        replaceBackupCodes(client, vault, person),
      )
      return { msg: 'success' as const, backup_codes: codes }
    },
  )
}
