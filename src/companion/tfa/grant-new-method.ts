import { successMessage } from '../../../contract/fields.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { CompanionRoute } from '../context.ts'
import { withTfaAccount } from './account-queue.ts'
import { findAuthorization, isOfSecret } from './authorization.ts'
import { confirmationTime } from './methods.ts'
import { proofBody, proofErrors, prove } from './proof.ts'

export const grantNewMethod: CompanionRoute = async (app, companion) => {
  app.put(
    '/api/v0/tfa/authorize-new-method',
    {
      config: {
        permissions: ['user_write'],
        access: 'person',
        refusal: 'team_user_forbidden',
        errors: { ...proofErrors, 400: `${proofErrors[400]}, \`no_pending_authorization\`` },
      },
      schema: {
        operationId: 'grantTfaMethod',
        summary: 'Complete the authorization of a 2FA method',
        description:
          'Takes the code of the authorization. A repeated request with the same `secret` has no effect.',
        tags: ['2fa'],
        body: proofBody.pick({ code: true, secret: true }),
        response: { 200: successMessage },
      },
    },
    async ({ caller, body: { code, secret = '' } }) => {
      await withTfaAccount(companion, caller.accountId, async (account) => {
        const found = await findAuthorization(account)
        if (!found || !isOfSecret(account, found, secret))
          throw new ApiError(400, 'no_pending_authorization', 'No authorization with this secret is pending.')
        if (found.is_granted) return
        const { method_id } = found
        const method = method_id === null ? { tfa_method: 'email' } : { tfa_method_id: method_id }
        await prove(account, { ...method, code, secret })
        await account.client.query('tfa/grant', [account.id, confirmationTime])
      })
      return { success: true as const, msg: 'Authorization successful.' }
    },
  )
}
