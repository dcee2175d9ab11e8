import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { currentUser } from '../../contract/current-user.ts'
import { categories } from '../../contract/permissions.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'
import { one } from '../../platform/stores/rows.ts'

export interface CurrentUserOptions {
  postgres: Postgres
  openData: z.infer<typeof currentUser>['open_data']
}

export const currentUserRoute: FastifyPluginAsyncZod<CurrentUserOptions> = async (
  app,
  { postgres, openData },
) => {
  app.get(
    '/api/v0/users/current',
    {
      config: { permissions: categories },
      schema: {
        operationId: 'getCurrentUser',
        summary: 'Get the current user',
        description: 'The account and the permissions of the key. Any valid key is enough.',
        tags: ['api keys'],
        response: { 200: currentUser },
      },
    },
    async ({ caller }) => {
      const { rows } = await postgres.query<{ name: string; email: string | null }>('keys/holder', [
        caller.accountId,
        caller.createdBy,
      ])
      const { name, email } = one(rows)
      return {
        id: caller.accountId,
        username: name,
        kind: caller.kind,
        email,
        is_host: caller.isHost,
        is_admin: caller.isAdmin,
        has_active_machine: caller.hasActiveMachine,
        claimed_sources: [...caller.claimedSources],
        claims_first_source: caller.claimsFirst,
        open_data: openData,
        permissions: caller.permissions,
        key_expires_at: caller.expiresAt ? caller.expiresAt.getTime() / 1000 : null,
      }
    },
  )
}
