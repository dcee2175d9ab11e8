import { z } from 'zod'
import type { CompanionRoute } from '../context.ts'
import { libraryOf, ownAccount } from './library.ts'
import { templatesAnswer } from './schema.ts'

export const listTemplates: CompanionRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/users/:user_id/templates',
    {
      config: {
        permissions: ['instance_read'],
        errors: { 404: "Not the account's own id: `not_found`" },
      },
      schema: {
        operationId: 'listTemplates',
        summary: 'List the template library',
        description: 'The same answer as after saving templates.',
        tags: ['templates'],
        params: z.object({ user_id: z.string() }),
        response: { 200: templatesAnswer },
      },
    },
    ({ caller, params }) => libraryOf(postgres, ownAccount(caller, params.user_id)),
  )
}
