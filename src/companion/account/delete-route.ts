import { z } from 'zod'
import type { CompanionRoute } from '../context.ts'
import { withTfaAccount } from '../tfa/account-queue.ts'
import { proofBody, proofErrors, prove } from '../tfa/proof.ts'
import { deleteAccount } from './delete-account.ts'
import { elsewhere, reasons } from './holdings.ts'
import { targetErrors, targetOf } from './target.ts'

export const deleteAccountRoute: CompanionRoute = async (app, companion) => {
  app.delete(
    '/api/v0/users/:user_id',
    {
      config: {
        permissions: ['user_write'],
        errors: {
          ...targetErrors,
          400: `The account has machines, rents instances or volumes, or owns a team: \`invalid_args\`. ${proofErrors[400]}`,
        },
      },
      schema: {
        operationId: 'deleteAccount',
        summary: 'Delete an account',
        description: `Deletes the account and what it holds, at once and for good. \`stays\` lists what is kept, with the reasons. The request needs a proof
of the caller, as removing a 2FA method does. Admins may delete any account, and the owner of a team deletes it with a key of the team.`,
        tags: ['account'],
        params: z.object({ user_id: z.string() }),
        body: proofBody,
        response: {
          200: z.object({
            success: z.literal(true),
            deleted: z.record(z.string(), z.int()).describe('Numbers of rows by table'),
            stays: z.record(z.string(), z.string()).describe('Reasons by table'),
          }),
        },
      },
    },
    async ({ caller, params, body, headers }) => {
      const account = await targetOf(companion.postgres, caller, params.user_id)
      const deleted = await withTfaAccount({ ...companion, caller }, caller.createdBy, async (person) => {
        await prove(person, body)
        return deleteAccount(person.client, account)
      })
      app.forgetCaller(headers.authorization)
      return { success: true as const, deleted, stays: { ...reasons('stays'), ...elsewhere } }
    },
  )
}
