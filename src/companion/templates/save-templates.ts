import { z } from 'zod'
import { type CompanionRoute, withAccount } from '../context.ts'
import { libraryOf, ownAccount } from './library.ts'
import { templatesAnswer, templatesBody } from './schema.ts'
import { storeTemplates } from './store.ts'

const description = `Saves all templates or none, and returns the whole library.

A template never changes. A template sent with the \`id\` of an earlier one is a new version of it, with an id and a \`hash_id\` of its own; with
\`is_an_edit\` the earlier version leaves the library. If the account or the public already has a template of equal content, that template is added
to the library. A new version without a password keeps the docker password of the earlier one if it has the same docker user and registry.`

export const saveTemplates: CompanionRoute = async (app, companion) => {
  app.post(
    '/api/v0/users/:user_id/templates',
    {
      config: {
        permissions: ['instance_write'],
        errors: {
          400: '`invalid_args`: `templates cannot be null`, `templates with docker username must have an access token`, an unknown `id`, or a malformed field',
          404: "Not the account's own id: `not_found`",
        },
      },
      schema: {
        operationId: 'saveTemplates',
        summary: 'Save templates to the library',
        description,
        tags: ['templates'],
        params: z.object({ user_id: z.string() }),
        body: templatesBody,
        response: { 200: templatesAnswer },
      },
    },
    async ({ caller, params, body }) => {
      const accountId = ownAccount(caller, params.user_id)
      await withAccount(companion, accountId, (account) => storeTemplates(account, body))
      return libraryOf(companion.postgres, accountId)
    },
  )
}
