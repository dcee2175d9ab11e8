import { z } from 'zod'
import { epochOut, named } from '../../../contract/fields.ts'
import type { Permission } from '../../../contract/permissions.ts'
import { keysOf } from '../../../contract/records.ts'
import { encodeToken, nextToken, tokenFor } from '../../../contract/search.ts'
import { requireAccess } from '../../../platform/security/access.ts'
import type { CompanionRoute } from '../context.ts'

/** The objects of the audit, by the permission that reading them needs. */
export const auditedObjects = {
  user_read: ['accounts', 'api_keys'],
  team_read: ['teams', 'roles', 'team_members'],
  machine_read: [
    'claims',
    'claim_keys',
    'machine_costs',
    'source_costs',
    'alert_rules',
    'autopilot_rules',
    'autopilot_accounts',
  ],
} as const satisfies Partial<Record<Permission, readonly string[]>>

const fields = z.record(z.string(), z.unknown()).nullable()
const change = named('AuditedChange', {
  id: z.number(),
  made_at: epochOut,
  user_id: z.int().describe('The account whose object was changed'),
  origin: z
    .enum(['api', 'mail', 'command', 'service'])
    .describe('A key, a mailed link, the command line, or the service itself'),
  person_id: z.int().nullable().describe('Holder of the key or the link'),
  person: z.string().nullable(),
  key_id: z.int().nullable(),
  object: z.string().describe('A table of the database'),
  object_id: z.string(),
  action: z.enum(['create', 'change', 'delete']),
  before: fields.describe('The fields that changed, without secrets'),
  after: fields,
})

export const listChanges: CompanionRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/changes',
    {
      config: {
        permissions: keysOf(auditedObjects),
        errors: { 403: '`all` without being an admin, or a key without these permissions: `forbidden`' },
      },
      schema: {
        operationId: 'listChanges',
        summary: 'List changes of the account',
        description: `The changes of the account's keys, roles, members, claims, costs and rules, with who made them, newest first. The key's permissions decide which objects
are listed. Admins list the changes of all accounts with \`all\`.`,
        tags: ['account'],
        querystring: z.object({
          all: z.stringbool().default(false).describe('Changes of all accounts. Only for admins'),
          limit: z.coerce.number().int().min(1).max(1000).default(100),
          after_token: tokenFor(z.tuple([z.int().min(1)])),
        }),
        response: {
          200: z.object({ success: z.literal(true), changes: z.array(change), next_token: nextToken }),
        },
      },
    },
    async ({ caller, query: { all, limit, after_token: [before] = [null] } }) => {
      if (all) requireAccess(caller, 'admin')
      const objects = Object.entries(auditedObjects).flatMap(([permission, names]) =>
        caller.permissions.api[permission as Permission] ? names : [],
      )
      const { rows } = await postgres.query<z.infer<typeof change>>('changes/list', [
        all ? null : caller.accountId,
        objects,
        limit + 1,
        before,
      ])
      const page = rows.slice(0, limit)
      const last = rows.length > limit ? page.at(-1) : undefined
      return { success: true as const, changes: page, next_token: last ? encodeToken([last.id]) : null }
    },
  )
}
