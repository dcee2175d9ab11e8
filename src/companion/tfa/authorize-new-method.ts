import { z } from 'zod'
import { newToken } from '../../../platform/security/token.ts'
import type { Account, CompanionRoute } from '../context.ts'
import { withTfaAccount } from './account-queue.ts'
import { keepAuthorization } from './authorization.ts'
import { sendCode } from './challenge.ts'
import { methodOf, type Proof, proofBody, prove, smsErrors } from './proof.ts'
import { verifiedEmail } from './send-email-code.ts'

const authorizationBody = proofBody
  .pick({ tfa_method_id: true, tfa_method: true, backup_code: true })
  .extend({ tfa_method: proofBody.shape.tfa_method.describe('`email` (default), `sms` or `totp`') })
  .nullish()

export const authorizeNewMethod: CompanionRoute = async (app, companion) => {
  app.post(
    '/api/v0/tfa/authorize-new-method',
    {
      config: {
        permissions: ['user_write'],
        access: 'person',
        refusal: 'team_user_forbidden',
        errors: {
          ...smsErrors,
          400: '`missing_email`, `email_not_verified`, `invalid_tfa_method`, `tfa_challenge_exists`, `invalid_args`',
        },
      },
      schema: {
        operationId: 'authorizeTfaMethod',
        summary: 'Authorize a new 2FA method',
        description: `The first step to a new method. With a \`backup_code\` the authorization is granted at once. Otherwise a code is sent by e-mail or to the phone of
the chosen method, and PUT takes it together with the \`secret\`. With \`totp\` the code is the app's. An authorization is valid for 15 minutes.`,
        tags: ['2fa'],
        body: authorizationBody,
        response: {
          200: z.object({
            success: z.literal(true),
            msg: z.string(),
            secret: z.string().optional().describe('Send it with the code. Absent with a `backup_code`'),
          }),
        },
      },
    },
    async ({ caller, body }) => {
      const answer = await withTfaAccount(companion, caller.accountId, (account) =>
        authorize(account, body ?? {}),
      )
      companion.onOutbox()
      return { success: true as const, ...answer }
    },
  )
}

async function authorize(account: Account, { backup_code, ...chosen }: Proof) {
  if (backup_code) {
    await prove(account, { backup_code })
    await keepAuthorization(account, { secret: newToken(), methodId: null, isGranted: true })
    return { msg: 'Authorization successful.' }
  }
  const byMail = chosen.tfa_method_id == null && chosen.tfa_method === undefined
  const method = byMail ? 'email' : await methodOf(account, chosen)
  const methodId = method === 'email' ? null : method.id
  const secret = await challenge(account, method)
  await keepAuthorization(account, { secret, methodId, isGranted: false })
  return { msg: 'Send the code together with the secret.', secret }
}

/** Sends a code where the method needs one. Returns its secret. */
async function challenge(account: Account, method: Awaited<ReturnType<typeof methodOf>>): Promise<string> {
  if (method === 'email') {
    const recipient = await verifiedEmail(account)
    return sendCode(account, { methodId: null, channel: 'email', recipient, isOwn: true })
  }
  if (method.phone === null) return newToken()
  return sendCode(account, { methodId: method.id, channel: 'sms', recipient: method.phone, isOwn: true })
}
