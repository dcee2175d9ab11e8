import { type CompanionRoute, withAccount } from '../context.ts'
import { savedTemplate } from './library.ts'
import { templateAnswer, templateInput } from './schema.ts'
import { storeTemplates } from './store.ts'

export const createTemplate: CompanionRoute = async (app, companion) => {
  app.post(
    '/api/v0/template',
    {
      config: { permissions: ['user_write'] },
      schema: {
        operationId: 'createTemplate',
        summary: 'Create a template',
        description:
          "Saves one template to the account's library, as POST /api/v0/users/{user_id}/templates does. A template of equal content is added and returned; a repeated request creates no second one.",
        tags: ['templates'],
        body: templateInput.omit({ id: true }),
        response: { 200: templateAnswer },
      },
    },
    async ({ caller, body }) => {
      const saved = await withAccount(companion, caller.accountId, async (account) => {
        const [id] = await storeTemplates(account, { templates: [{ ...body, id: null }], is_an_edit: false })
        return savedTemplate(account, id)
      })
      return { success: true as const, msg: 'The template is saved.', template: saved }
    },
  )
}
