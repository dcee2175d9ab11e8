import type pg from 'pg'
import { idOf } from '../../../contract/fields.ts'
import { notFound } from '../../../platform/errors.ts'
import type { Caller } from '../../../platform/security/auth.ts'
import { one } from '../../../platform/stores/rows.ts'
import type { Account } from '../context.ts'
import type { TemplatesAnswer } from './schema.ts'

/** The account's id, given as the user id of a path. Throws 404 for any other. */
export function ownAccount({ accountId }: Caller, userId: string): number {
  if (idOf(userId) !== accountId) throw notFound('There is no such user')
  return accountId
}

/** The template library of an account. */
export async function libraryOf(
  client: pg.Pool | pg.PoolClient,
  accountId: number,
): Promise<TemplatesAnswer> {
  const { rows } = await client.query<{ template: TemplatesAnswer['templates'][number] }>(
    'templates/library',
    [accountId],
  )
  return { success: true, templates: rows.map(({ template }) => template) }
}

/** A template that was just saved to the library. */
export async function savedTemplate({ id: accountId, client }: Account, id: number | undefined) {
  const { templates } = await libraryOf(client, accountId)
  return one(templates.filter((template) => template.id === id))
}
