import { z } from 'zod'
import type { CompanionRoute } from '../context.ts'
import { withTfaAccount } from './account-queue.ts'
import { requireAuthorization } from './authorization.ts'
import { confirm, confirmationBody } from './confirmation.ts'
import { proofErrors } from './proof.ts'

export const confirmNewMethod: CompanionRoute = async (app, companion) => {
  app.post(
    '/api/v0/tfa/confirm-new',
    {
      config: {
        permissions: ['user_write'],
        access: 'person',
        refusal: 'team_user_forbidden',
        errors: {
          ...proofErrors,
          400: `${proofErrors[400]}, \`phone_number_mismatch\``,
          403: "A team's key: `team_user_forbidden`. No authorization of a new method: `authorization_required`",
        },
      },
      schema: {
        operationId: 'activateTfaMethod',
        summary: 'Confirm an authorized 2FA method',
        description: `Confirms a method as POST /api/v0/tfa/test-submit does, and requires an authorization (PUT /api/v0/tfa/authorize-new-method), the first method
too. An authorization is for one method. For \`totp\` the \`secret\` is not needed.`,
        tags: ['2fa'],
        body: confirmationBody,
        response: {
          200: z.object({
            success: z.literal(true),
            msg: z.string(),
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
      msg: 'The 2FA method is active.',
      ...(await withTfaAccount(companion, caller.accountId, async (account) => {
        await requireAuthorization(account)
        return confirm(account, body)
      })),
    }),
  )
}
