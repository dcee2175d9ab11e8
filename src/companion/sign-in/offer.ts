import { z } from 'zod'
import type { CompanionRoute } from '../context.ts'

export const signInOffer: CompanionRoute = async (app, { signInByMail }) => {
  app.get(
    '/api/v0/auth/sign-in',
    {
      config: { permissions: 'none' },
      schema: {
        operationId: 'getSignInOffer',
        summary: 'Get the ways to sign in',
        description: 'An API key always works.',
        tags: ['sign-in'],
        response: {
          200: z.object({
            success: z.literal(true),
            by_mail: z.boolean().describe('true: the service mails links to sign in'),
          }),
        },
      },
    },
    async () => ({ success: true as const, by_mail: signInByMail }),
  )
}
