import { z } from 'zod'
import { id } from '../../../contract/fields.ts'
import { invalidArgs, notFound } from '../../../platform/errors.ts'
import type { CompanionRoute } from '../context.ts'
import { withTfaAccount } from './account-queue.ts'
import { methodsOf } from './methods.ts'
import { proofBody, proofErrors, prove } from './proof.ts'

export const removeMethod: CompanionRoute = async (app, companion) => {
  app.delete(
    '/api/v0/tfa',
    {
      config: {
        permissions: ['user_write'],
        access: 'person',
        refusal: 'team_user_forbidden',
        errors: { ...proofErrors, 404: 'Unknown `tfa_method_id` or `target_id`: `not_found`' },
      },
      schema: {
        operationId: 'removeTfaMethod',
        summary: 'Remove a 2FA method',
        description:
          'Needs a proof, as replacing the backup codes does. Removing the last method also deletes the backup codes.',
        tags: ['2fa'],
        body: proofBody.extend({
          target_id: id.nullish().describe('The method to remove. Default: the method of the code'),
        }),
        response: {
          200: z.object({
            success: z.literal(true),
            remaining_methods: z.int().optional().describe('Absent when no method is left: 2FA is then off'),
          }),
        },
      },
    },
    async ({ caller, body }) =>
      withTfaAccount(companion, caller.accountId, async (account) => {
        const provedWith = await prove(account, body)
        const target = body.target_id ?? (typeof provedWith === 'string' ? undefined : provedWith.id)
        if (target === undefined) throw invalidArgs('target_id is required unless the code is of a method')
        const remove = 'tfa/remove'
        const { rowCount } = await account.client.query(remove, [account.id, target])
        if (rowCount === 0) throw notFound('There is no such 2FA method')
        const { length } = await methodsOf(account)
        if (length === 0)
          await account.client.query('DELETE FROM backup_codes WHERE account_id = $1', [account.id])
        return { success: true as const, ...(length > 0 && { remaining_methods: length }) }
      }),
  )
}
