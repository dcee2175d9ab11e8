import { z } from 'zod'
import { epochOut } from './fields.ts'
import { permissionsObject } from './permissions.ts'

export const currentUser = z.object({
  id: z.int().describe('The account that the key acts for: a person or a team'),
  username: z.string(),
  kind: z.enum(['person', 'team']),
  email: z
    .string()
    .nullable()
    .describe(
      'The verified e-mail address of the person who holds the key, to which alerts are mailed; null: none',
    ),
  is_host: z.boolean(),
  is_admin: z.boolean(),
  has_active_machine: z.boolean(),
  claimed_sources: z
    .array(z.string())
    .describe(
      'Sources in which the account claims machines. It sees their markets as a host with an active machine does',
    ),
  claims_first_source: z.boolean().describe('True if the first source is among them'),
  open_data: z
    .enum(['public', 'host'])
    .nullable()
    .describe('Readers of the files of open data: everybody, or hosts; null: the site has none'),
  permissions: permissionsObject,
  key_expires_at: epochOut.nullable(),
})
