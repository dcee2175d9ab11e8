import { z } from 'zod'
import { categories } from '../../../contract/permissions.ts'
import { acting } from '../../../platform/stores/postgres.ts'
import type { CompanionRoute } from '../context.ts'

export const signOut: CompanionRoute = async (app, { postgres }) => {
  app.delete(
    '/api/v0/auth/sign-in',
    {
      config: { permissions: categories },
      schema: {
        operationId: 'signOut',
        summary: 'Sign out',
        description: `Ends the key of the request if it came from a mailed link. Any other key stays valid. Rules, feeds and shared charts that were created with the key stay, too: to end them, revoke the key instead.`,
        tags: ['sign-in'],
        response: {
          200: z.object({
            success: z.literal(true),
            ended: z.boolean().describe('false: the key did not come from a mailed link'),
          }),
        },
      },
    },
    async ({ caller, headers }) => {
      const { rowCount } = await acting(postgres, caller).query('sign-in/sign_out', [caller.keyId])
      app.forgetCaller(headers.authorization)
      return { success: true as const, ended: rowCount === 1 }
    },
  )
}
