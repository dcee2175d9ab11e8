import { notFound } from '../../../platform/errors.ts'
import { keepBody } from '../body-as-sent.ts'
import { type CompanionRoute, withAccount } from '../context.ts'
import { savedTemplate } from './library.ts'
import { templateAnswer, templateEdit, templateInput } from './schema.ts'
import { storeTemplates } from './store.ts'

export const editTemplate: CompanionRoute = async (app, companion) => {
  app.put(
    '/api/v0/template',
    {
      config: {
        permissions: ['user_write'],
        errors: { 404: 'The library has no such template: `not_found`' },
      },
      schema: {
        operationId: 'editTemplate',
        summary: 'Edit a template',
        description: `Replaces a template in the account's library with a new version. The new version has its own \`id\` and \`hash_id\`, since a
template never changes. A field that is null or absent stays as it was. A repeated request has no effect.`,
        tags: ['templates'],
        body: templateEdit,
        response: { 200: templateAnswer },
      },
      preValidation: keepBody,
    },
    async ({ caller, bodyAsSent, body: { hash_id, ...fields } }) => {
      const sent = bodyAsSent as Record<string, unknown>
      const given = Object.fromEntries(Object.entries(fields).filter(([name]) => sent[name] != null))
      const saved = await withAccount(companion, caller.accountId, async (account) => {
        const { rows } = await account.client.query<{ id: number; content: object }>('templates/by_hash', [
          account.id,
          hash_id,
        ])
        const [old] = rows
        if (!old) throw notFound('There is no such template')
        const edited = templateInput.parse({ ...old.content, ...given, id: old.id })
        const [id] = await storeTemplates(account, { templates: [edited], is_an_edit: true })
        return savedTemplate(account, id)
      })
      return { success: true as const, msg: 'The template is saved.', template: saved }
    },
  )
}
