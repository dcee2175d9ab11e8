import { z } from 'zod'
import { success } from '../../../contract/fields.ts'
import { notFound } from '../../../platform/errors.ts'
import { isStorable } from '../../../platform/text.ts'
import type { CompanionRoute } from '../context.ts'

export const withdrawInvitation: CompanionRoute = async (app, { postgres }) => {
  app.delete(
    '/api/v0/team/invitations/:email',
    {
      config: {
        permissions: ['team_write'],
        access: 'team',
        errors: { 404: 'The team has no open invitation of this address: `not_found`' },
      },
      schema: {
        operationId: 'withdrawTeamInvitation',
        summary: 'Withdraw an invitation',
        description: 'The invitation can no longer be accepted. Mail that was already sent is not recalled.',
        tags: ['team'],
        params: z.object({ email: z.string() }),
        response: { 200: success },
      },
    },
    async ({ caller, params: { email } }) => {
      const isKnown =
        isStorable(email) && (await postgres.query('team/withdraw', [caller.accountId, email])).rowCount
      if (!isKnown) throw notFound('There is no such invitation')
      return { success: true as const }
    },
  )
}
