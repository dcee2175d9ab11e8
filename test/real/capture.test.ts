import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadSql } from '../../platform/stores/sql-files.ts'
import { freshDatabases, type TestDatabases } from '../database.ts'
import { smallMarket } from '../market.ts'

const machines = 3000
let databases: TestDatabases
beforeAll(async () => {
  databases = await freshDatabases()
  for (const table of ['machines', 'gpu_listings', 'contracts', 'gpu_holds'])
    await databases.postgres.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`)
  await smallMarket(databases.postgres, machines)
})
afterAll(() => databases?.close())

interface Plan {
  Plans?: Plan[]
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
}
const rowsOf = (plan: Plan): number =>
  plan['Actual Loops'] *
    (plan['Actual Rows'] +
      (plan['Rows Removed by Filter'] ?? 0) +
      (plan['Rows Removed by Join Filter'] ?? 0)) +
  (plan.Plans ?? []).reduce((sum, inner) => sum + rowsOf(inner), 0)

it('looks at each machine a few times, also where PostgreSQL has no statistics yet, as after a restore', async () => {
  const values = ['1752000000', `'market'`, '20000']
  const capture = values.reduce(
    (text, value, index) => text.replaceAll(`$${index + 1}`, value),
    loadSql('postgres/queries/market/capture'),
  )
  const { rows } = await databases.postgres.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${capture}`,
  )
  const [explained] = rows[0]?.['QUERY PLAN'] ?? []
  expect(explained && rowsOf(explained.Plan)).toBeLessThan(60 * machines)
  const { rows: taken } = await databases.postgres.query('SELECT observations FROM snapshots')
  expect(taken).toEqual([{ observations: expect.any(Number) }])
})
