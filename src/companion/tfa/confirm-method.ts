import { z } from 'zod'
import type { CompanionRoute } from '../context.ts'
import { withTfaAccount } from './account-queue.ts'
import { confirm, confirmationBody } from './confirmation.ts'
import { proofErrors } from './proof.ts'

export const confirmMethod: CompanionRoute = async (app, companion) => {
  app.post(
    '/api/v0/tfa/test-submit',
    {
      config: {
        permissions: ['user_write'],
        access: 'person',
        refusal: 'team_user_forbidden',
        errors: { ...proofErrors, 400: `${proofErrors[400]}, \`phone_number_mismatch\`` },
      },
      schema: {
        operationId: 'confirmTfaMethod',
        summary: 'Confirm a 2FA method',
        description: `Takes a code of the method that was set up: from the app, or as sent together with its \`secret\`. From then on the method is
active. Other methods that were set up but not confirmed are deleted.`,
        tags: ['2fa'],
        body: confirmationBody,
        response: {
          200: z.object({
            success: z.literal(true),
            tfa_method_id: z.int(),
            backup_codes: z
              .array(z.string())
              .optional()
              .describe('Ten codes, with the first method only. Returned only here'),
          }),
        },
      },
    },
    async ({ caller, body }) => ({
      success: true as const,
      ...(await withTfaAccount(companion, caller.accountId, (account) => confirm(account, body))),
    }),
  )
}
