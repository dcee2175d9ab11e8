import { z } from 'zod'
import { epochOut, named } from '../../../contract/fields.ts'
import { afterToken, nextTokenHeader, pageSize, tokenOf } from '../../../contract/search.ts'
import { invalidArgs } from '../../../platform/errors.ts'
import type { CompanionRoute } from '../context.ts'

const member = named('TeamMember', {
  id: z.int().describe('User id'),
  username: z.string(),
  email: z
    .string()
    .nullable()
    .describe("Masked, unless the key has `team_write` or it is the caller's own address"),
  role: z.string().nullable().describe('null: no role yet'),
  roles: z.array(z.string()).describe('The same as a list: a member has at most one role'),
  joined_at: epochOut,
})

export const listMembers: CompanionRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/team/members',
    {
      config: { permissions: ['team_read'], access: 'team', headers: nextTokenHeader },
      schema: {
        operationId: 'listTeamMembers',
        summary: 'List the members of the team',
        description: `The owner first, then the others in the order they joined. For a key without \`team_write\`, addresses of others are masked as
\`a***@example.com\`, also where an address is the username. When there are more members than \`limit\`, the header Rackrate-Next-Token has the \`after_token\` of the
next page.`,
        tags: ['team'],
        querystring: z.object({ limit: pageSize(1000), after_token: afterToken }),
        response: { 200: z.array(member) },
      },
    },
    async ({ caller, query: { limit, after_token: after } }, reply) => {
      if (after && typeof after.value !== 'number')
        throw invalidArgs('after_token must be the token of an answer')
      const { rows } = await postgres.query<z.infer<typeof member>>('team/members', [
        caller.accountId,
        after?.id ?? null,
        after?.value ?? null,
        limit + 1,
      ])
      const members = rows.slice(0, limit)
      const last = members.at(-1)
      if (rows.length > limit && last)
        reply.header(
          'rackrate-next-token',
          tokenOf({ id: last.id, value: last.role === 'owner' ? 0 : last.joined_at }),
        )
      if (caller.permissions.api.team_write) return members
      return members.map((row) => (row.id === caller.createdBy ? row : masked(row)))
    },
  )
}

/** Masks addresses: members who may not invite others do not need them. */
const masked = (row: z.infer<typeof member>) => ({
  ...row,
  username: maskAddress(row.username),
  email: row.email && maskAddress(row.email),
})

const maskAddress = (text: string): string => text.replace(/^([^\s@])[^\s@]*@/u, '$1***@')
