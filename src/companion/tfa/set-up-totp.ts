import { z } from 'zod'
import { one } from '../../../platform/stores/rows.ts'
import type { CompanionRoute } from '../context.ts'
import { withTfaAccount } from './account-queue.ts'
import { proveOrAuthorized } from './authorization.ts'
import { label, methodsOf, setUpRules } from './methods.ts'
import { proofBody, proofErrors } from './proof.ts'
import { newTotpSecret, provisioningUri, sealTotpSecret } from './totp.ts'

const body = proofBody.extend({ label }).nullish()

export const setUpTotp: CompanionRoute = async (app, companion) => {
  app.post(
    '/api/v0/tfa/totp-setup',
    {
      config: {
        permissions: ['user_write'],
        access: 'person',
        refusal: 'team_user_forbidden',
        errors: proofErrors,
      },
      schema: {
        operationId: 'setUpTotp',
        summary: 'Set up an authenticator app',
        description: `Creates a TOTP secret (RFC 6238: SHA-1, six digits, 30 s). It replaces a secret that was set up before and not confirmed.

${setUpRules}`,
        tags: ['2fa'],
        body,
        response: {
          200: z.object({
            success: z.literal(true),
            secret: z.string().describe('Base32, to type into the app. Returned only here'),
            provisioning_uri: z.string().describe('The secret for a QR code'),
            tfa_method_id: z.int(),
          }),
        },
      },
    },
    async ({ caller, body }) =>
      withTfaAccount(companion, caller.accountId, async (account) => {
        if ((await methodsOf(account)).length > 0) await proveOrAuthorized(account, body ?? {})
        const secret = newTotpSecret()
        await account.client.query('tfa/delete_unconfirmed_totp', [account.id])
        const { rows } = await account.client.query<{ id: number; name: string }>('tfa/create_totp', [
          account.id,
          body?.label ?? '',
          sealTotpSecret(account.vault, secret),
        ])
        const { id, name } = one(rows)
        const provisioning_uri = provisioningUri(secret, name)
        return { success: true as const, secret, provisioning_uri, tfa_method_id: id }
      }),
  )
}
