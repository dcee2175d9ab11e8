import { z } from 'zod'
import { transaction } from '../../../platform/stores/postgres.ts'
import type { CompanionRoute } from '../context.ts'
import { methodsOf } from '../tfa/methods.ts'
import { linkErrors, mailedBody, personOf } from './link.ts'

export const lookAtSignIn: CompanionRoute = async (app, { postgres }) => {
  app.post(
    '/api/v0/auth/sign-in/look',
    {
      config: { permissions: 'none', errors: { 400: linkErrors[400] } },
      schema: {
        operationId: 'lookAtSignInLink',
        summary: 'Look at a link or short code to sign in',
        description:
          'Returns the person of a link or short code, and whether a second factor is needed. Both stay valid.',
        tags: ['sign-in'],
        body: mailedBody,
        response: {
          200: z.object({
            success: z.literal(true),
            username: z.string(),
            email: z.string(),
            needs_second_factor: z.boolean().describe('true: the account has a 2FA method'),
            totp_methods: z
              .array(z.object({ id: z.int(), label: z.string() }))
              .describe('The authenticator apps of which a code is accepted'),
          }),
        },
      },
    },
    async ({ body }) => {
      const { id, name, email } = await personOf(postgres, body)
      const methods = await transaction(postgres, (client) => methodsOf({ id, client }))
      return {
        success: true as const,
        username: name,
        email,
        needs_second_factor: methods.length > 0,
        totp_methods: methods.filter(({ kind }) => kind === 'totp').map(({ id, label }) => ({ id, label })),
      }
    },
  )
}
