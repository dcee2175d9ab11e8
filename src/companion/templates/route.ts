import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { idOf } from '../../../contract/fields.ts'
import { invalidArgs, notFound } from '../../../platform/errors.ts'
import type { Caller } from '../../../platform/security/auth.ts'
import { accountTransaction, type Postgres } from '../../../platform/stores/postgres.ts'
import { loadSql } from '../../../platform/stores/sql.ts'
import type { CompanionOptions } from '../options.ts'
import { saveTemplates } from './save.ts'
import { templatesAnswer, templatesBody } from './schema.ts'

const params = z.object({ user_id: z.string() })
const errors = { 404: "Not the caller's own account: `not_found`" }

const description = `All templates are saved or none. A template never changes: a saved \`id\` with other content becomes a new version with an id and a \`hash_id\` of its
own, and with \`is_an_edit\` the previous one leaves the library. Content equal to a template that exists (of the account, or a public one) links that one. The
docker password of an earlier version is kept when a new version has the same docker user and no password. Answers the whole library.`

/** POST /api/v0/users/{user_id}/templates (SPEC.md, endpoint 5), and reading them (ours). */
export const templatesRoute: FastifyPluginAsyncZod<CompanionOptions> = async (app, { postgres, vault }) => {
  app.post(
    '/api/v0/users/:user_id/templates',
    {
      config: {
        permissions: ['instance_write'],
        errors: {
          ...errors,
          400: '`invalid_args`: `templates cannot be null`, `templates with docker username must have an access token`, an unknown `id`, or a malformed field',
        },
      },
      schema: {
        summary: 'Save templates to the library',
        description,
        tags: ['templates'],
        params,
        body: templatesBody,
        response: { 200: templatesAnswer },
      },
      // The message of WIRE.md is a whole sentence already: no path in front of it.
      schemaErrorFormatter: ([first]) => {
        const path = first?.instancePath.split('/').filter(Boolean).join('.')
        return invalidArgs(
          path === 'templates' || !path ? (first?.message ?? 'Invalid body') : `${path}: ${first?.message}`,
        )
      },
    },
    async ({ caller, params, body }) => {
      const accountId = ownAccount(caller, params.user_id)
      await accountTransaction(postgres, accountId, (client) =>
        saveTemplates(client, vault, accountId, body.templates, {
          isAnEdit: body.is_an_edit,
          referral: body.referral_template_id ?? undefined,
        }),
      )
      return libraryOf(postgres, accountId)
    },
  )

  app.get(
    '/api/v0/users/:user_id/templates',
    {
      config: { permissions: ['instance_read'], errors },
      schema: {
        summary: 'The template library',
        description: 'As saving templates answers it.',
        tags: ['templates'],
        params,
        response: { 200: templatesAnswer },
      },
    },
    async ({ caller, params }) => libraryOf(postgres, ownAccount(caller, params.user_id)),
  )
}

function ownAccount({ accountId }: Caller, userId: string): number {
  if (idOf(userId) !== accountId) throw notFound('There is no such user')
  return accountId
}

async function libraryOf(postgres: Postgres, accountId: number): Promise<z.infer<typeof templatesAnswer>> {
  const { rows } = await postgres.query<{ template: z.infer<typeof templatesAnswer>['templates'][number] }>(
    loadSql('postgres/queries/templates/library'),
    [accountId],
  )
  return { success: true, templates: rows.map(({ template }) => template) }
}
