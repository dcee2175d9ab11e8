import type pg from 'pg'
import { invalidArgs, notFound } from '../../../platform/errors.ts'
import { one } from '../../../platform/stores/rows.ts'
import { holdings } from './holdings.ts'

/** Things that must end before an account can be deleted. */
interface Obstacles {
  teams: number
  machines: number
  instances: number
  volumes: number
}

/**
 * Deletes an account in the transaction of `client`: everything except the rows that `holdings` keeps. Throws 404 when there is no
 * such account, and 400 while it takes part in the market or owns a team. Returns the numbers of deleted rows by table.
 */
export async function deleteAccount(client: pg.PoolClient, account: number): Promise<Record<string, number>> {
  const locked = 'SELECT FROM accounts WHERE id = $1 AND deleted_at IS NULL FOR UPDATE'
  if ((await client.query(locked, [account])).rowCount === 0) throw notFound('There is no such account')
  const obstacles = one((await client.query<Obstacles>('account/obstacles', [account])).rows)
  const left = Object.entries(obstacles).filter(([, count]) => count > 0)
  if (left.length > 0)
    throw invalidArgs(
      `End these first: ${left.map(([name, count]) => `${name} (${count})`).join(', ')} of the account`,
    )
  await client.query('account/stop_jobs', [account])
  await client.query('UPDATE dashboards SET updated_by = NULL WHERE updated_by = $1', [account])
  const deleted: Record<string, number> = {}
  for (const { table, rows, stays, deleted: condition } of holdings.toReversed()) {
    if (stays && !condition) continue
    const { rowCount } = await client.query(`DELETE FROM ${table} WHERE ${condition ?? rows}`, [account])
    if (rowCount) deleted[table] = rowCount
  }
  await client.query('account/strip_templates', [account])
  await client.query('account/erase', [account])
  await client.query('changes/erase', [account])
  return deleted
}
