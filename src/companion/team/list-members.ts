import { z } from 'zod'
import { epochOut } from '../../../contract/fields.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'
import type { CompanionRoute } from '../context.ts'

const member = z.object({
  id: z.int().describe('User id'),
  username: z.string(),
  email: z.string().nullable().describe('Masked unless the key has `team_write` or it is the own address'),
  role: z.string().nullable().describe('null: no role yet'),
  joined_at: epochOut,
})

export const listMembers: CompanionRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/team/members',
    {
      config: { permissions: ['team_read'], access: 'team' },
      schema: {
        summary: 'List the members of the team',
        description: `The owner first, then the others in the order they joined. A key without \`team_write\` sees the addresses of others as \`a***@example.com\`,
also where an address is the username.`,
        tags: ['team'],
        response: { 200: z.array(member) },
      },
    },
    async ({ caller }) => {
      const { rows } = await postgres.query<z.infer<typeof member>>(
        loadSql('postgres/queries/team/members'),
        [caller.accountId],
      )
      if (caller.permissions.api.team_write) return rows
      return rows.map((row) => (row.id === caller.createdBy ? row : masked(row)))
    },
  )
}

/** Without the addresses: whoever may not invite members needs none to work with them. */
const masked = (row: z.infer<typeof member>) => ({
  ...row,
  username: maskAddress(row.username),
  email: row.email && maskAddress(row.email),
})

const maskAddress = (text: string): string => text.replace(/^([^\s@])[^\s@]*@/u, '$1***@')
