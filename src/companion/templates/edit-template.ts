import { notFound } from '../../../platform/errors.ts'
import type { Caller } from '../../../platform/security/auth.ts'
import { keepBody } from '../body-as-sent.ts'
import { type Companion, type CompanionRoute, withAccount } from '../context.ts'
import { savedTemplate } from './library.ts'
import { templateAnswer, templateEdit, templateEditById, templateInput } from './schema.ts'
import { storeTemplates } from './store.ts'

const shared = {
  summary: 'Edit a template',
  tags: ['templates'],
  response: { 200: templateAnswer },
}
const config = {
  permissions: ['user_write' as const],
  errors: { 404: 'The library has no such template: `not_found`' },
}
const newVersion = `Replaces a template in the account's library with a new version. The new version has its own \`id\` and \`hash_id\`, since a
template never changes. A field that is null or absent stays as it was. A repeated request has no effect.`

/** Official clients name the template by the hash of its content, and newer ones by its id at another path. */
export const editTemplate: CompanionRoute = async (app, companion) => {
  app.put(
    '/api/v0/template',
    {
      config,
      schema: { ...shared, operationId: 'editTemplate', description: newVersion, body: templateEdit },
      preValidation: keepBody,
    },
    async ({ caller, bodyAsSent, body: { hash_id, ...fields } }) =>
      edit(companion, caller, { hash_id }, givenOf(fields, bodyAsSent)),
  )

  app.put(
    '/api/v1/template',
    {
      config,
      schema: {
        ...shared,
        operationId: 'editTemplateById',
        description: `PUT /api/v0/template with the \`id\` of the template instead of its hash. ${newVersion}`,
        body: templateEditById,
      },
      preValidation: keepBody,
    },
    async ({ caller, bodyAsSent, body: { id, ...fields } }) =>
      edit(companion, caller, { id }, givenOf(fields, bodyAsSent)),
  )
}

/** The fields that the request sets. */
function givenOf(fields: object, bodyAsSent: unknown): object {
  const sent = bodyAsSent as Record<string, unknown>
  return Object.fromEntries(Object.entries(fields).filter(([name]) => sent[name] != null))
}

async function edit(
  companion: Companion,
  caller: Caller,
  { hash_id, id }: { hash_id?: string; id?: number },
  given: object,
) {
  const template = await withAccount(companion, caller.accountId, async (account) => {
    const { rows } = await account.client.query<{ id: number; content: object }>('templates/of_library', [
      account.id,
      hash_id ?? null,
      id ?? null,
    ])
    const [old] = rows
    if (!old) throw notFound('There is no such template')
    const edited = templateInput.parse({ ...old.content, ...given, id: old.id })
    const [saved] = await storeTemplates(account, { templates: [edited], is_an_edit: true })
    return savedTemplate(account, saved)
  })
  return { success: true as const, msg: 'The template is saved.', template }
}
