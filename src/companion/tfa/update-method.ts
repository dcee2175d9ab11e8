import { z } from 'zod'
import { id } from '../../../contract/fields.ts'
import { notFound } from '../../../platform/errors.ts'
import type { CompanionRoute } from '../context.ts'
import { withTfaAccount } from './account-queue.ts'
import { methodsOf, showMethod, shownMethod } from './methods.ts'

export const updateMethod: CompanionRoute = async (app, companion) => {
  app.put(
    '/api/v0/tfa/update',
    {
      config: {
        permissions: ['user_write'],
        access: 'person',
        refusal: 'team_user_forbidden',
        errors: { 404: 'The account has no such 2FA method: `not_found`' },
      },
      schema: {
        operationId: 'updateTfaMethod',
        summary: 'Update a 2FA method',
        description:
          'Changes the label of a method, or makes it the primary one: the one that clients offer first.',
        tags: ['2fa'],
        body: z.object({
          tfa_method_id: id,
          label: z.string().trim().max(30).nullish(),
          is_primary: z.boolean().nullish(),
        }),
        response: { 200: z.object({ success: z.literal(true), msg: z.string(), method: shownMethod }) },
      },
    },
    ({ caller, body }) =>
      withTfaAccount(companion, caller.accountId, async (account) => {
        const wanted = ({ id }: { id: number }) => id === body.tfa_method_id
        if (!(await methodsOf(account)).some(wanted)) throw notFound('There is no such 2FA method')
        const change = 'tfa/change'
        await account.client.query(change, [
          account.id,
          body.tfa_method_id,
          body.label ?? null,
          body.is_primary ?? null,
        ])
        const method = (await methodsOf(account)).find(wanted)
        if (!method) throw notFound('There is no such 2FA method')
        return {
          success: true as const,
          msg: 'The 2FA method is changed.',
          method: showMethod(account.id, method),
        }
      }),
  )
}
