import { z } from 'zod'
import { transaction } from '../../../platform/stores/postgres.ts'
import type { CompanionRoute } from '../context.ts'
import { methodsOf } from '../tfa/methods.ts'
import { code, linkErrors, personOf } from './link.ts'

export const lookAtSignIn: CompanionRoute = async (app, { postgres }) => {
  app.post(
    '/api/v0/auth/sign-in/look',
    {
      config: { permissions: 'none', errors: { 400: linkErrors[400] } },
      schema: {
        operationId: 'lookAtSignInLink',
        summary: 'Look at a link to sign in',
        description: 'Says whose link it is, and whether it needs a second factor. The link stays valid.',
        tags: ['sign-in'],
        body: z.object({ code }),
        response: {
          200: z.object({
            success: z.literal(true),
            username: z.string(),
            email: z.string(),
            needs_second_factor: z.boolean().describe('Whether the account has a 2FA method'),
            totp_methods: z
              .array(z.object({ id: z.int(), label: z.string() }))
              .describe('The authenticator apps of which a code is accepted'),
          }),
        },
      },
    },
    ({ body }) =>
      transaction(postgres, async (client) => {
        const { id, name, email } = await personOf(client, body.code)
        const methods = await methodsOf({ id, client })
        return {
          success: true as const,
          username: name,
          email,
          needs_second_factor: methods.length > 0,
          totp_methods: methods.filter(({ kind }) => kind === 'totp').map(({ id, label }) => ({ id, label })),
        }
      }),
  )
}
