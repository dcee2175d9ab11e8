import { z } from 'zod'
import { id, successMessage } from '../../../contract/fields.ts'
import { invalidArgs, notFound } from '../../../platform/errors.ts'
import type { CompanionRoute } from '../context.ts'

export const deleteTemplate: CompanionRoute = async (app, { postgres }) => {
  app.delete(
    '/api/v0/template',
    {
      config: {
        permissions: ['user_write', 'instance_write'],
        errors: { 404: 'The library has no such template: `not_found`' },
      },
      schema: {
        operationId: 'deleteTemplate',
        summary: 'Delete a template',
        description: `Removes the template from the account's library and makes room for another one. Instances that were created from it and libraries of other
accounts that have it are not affected. One of the two fields is needed; a template must match both if both are given.`,
        tags: ['templates'],
        body: z.object({
          hash_id: z.string().max(200).nullish().describe('`hash_id` of the template'),
          template_id: id.nullish().describe('`id` of the template'),
        }),
        response: { 200: successMessage },
      },
    },
    async ({ caller, body: { hash_id, template_id } }) => {
      if (!hash_id && !template_id) throw invalidArgs('hash_id or template_id is required')
      const { rowCount } = await postgres.query('templates/remove', [
        caller.accountId,
        hash_id || null,
        template_id ?? null,
      ])
      if (rowCount === 0) throw notFound('There is no such template')
      return { success: true as const, msg: 'The template is deleted.' }
    },
  )
}
