import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { readConfig } from '../../cli/config.ts'
import { grantTo, sqlLimits } from '../../embedded/accounts.ts'
import { selectRows } from '../../platform/stores/clickhouse.ts'
import { accountStatements } from '../../platform/stores/clickhouse-accounts.ts'
import { freshDatabases, type TestDatabases } from '../database.ts'

let databases: TestDatabases
beforeAll(async () => {
  databases = await freshDatabases()
})
afterAll(() => databases?.close())

const environment = {
  CLICKHOUSE_URL: 'http://clickhouse:8123',
  CLICKHOUSE_USER: 'writer',
  CLICKHOUSE_PASSWORD: 'it is a secret',
  CLICKHOUSE_SQL_USER: 'analyst',
  CLICKHOUSE_SQL_PASSWORD: 'another secret',
}

// The embedded engine cannot create accounts, but it parses the statements as any server does.
describe.each([
  ['of a server', {}, {}],
  ['of a server, only to read', {}, { reader: true }],
  ['of a cluster', { CLICKHOUSE_CLUSTER: 'main' }, {}],
  ['of a cluster, only to read', { CLICKHOUSE_CLUSTER: 'main' }, { reader: true }],
])('the accounts %s', (_, more, options) => {
  const printed = accountStatements(readConfig({ ...environment, ...more }).clickhouse, options)
  const statements = printed.split(';\n').filter((statement) => statement.trim() !== '')

  it('are SQL, and name the cluster in every statement or in none', async () => {
    expect(statements).toHaveLength(6)
    for (const statement of statements) {
      const [row] = await selectRows<{ text: string }>(
        databases.clickhouse,
        'SELECT formatQuery({statement:String}) AS text',
        { statement },
      )
      expect(/ ON CLUSTER main /.test(row?.text ?? ''), statement).toBe('CLICKHOUSE_CLUSTER' in more)
    }
  })

  it('hold no password and leave nothing to fill in', () => {
    expect(printed).not.toMatch(/secret|\$/)
    expect(printed).toMatch(/BY '[0-9a-f]{64}'/)
  })
})

it('a name that would have to be quoted is refused', () => {
  expect(() =>
    accountStatements(readConfig({ ...environment, CLICKHOUSE_USER: 'x; DROP' }).clickhouse, {}),
  ).toThrow('plain name')
})

it('the embedded engine has the same limits and grants', async () => {
  expect(sqlLimits()).toMatchObject({ readonly: 1, max_execution_time: 60, date_time_output_format: 'iso' })
  expect(grantTo('writer', 'rackrate', false)).not.toMatch(/CLUSTER|REMOTE|\$|\*!/)
  if (!databases.adHoc || !inject('engines').clickhouse.analyst) return
  const answer = await databases.adHoc.analyst.query({
    query: 'SELECT name, value FROM system.settings WHERE changed',
    format: 'JSONEachRow',
  })
  const settings = await answer.json<{ name: string; value: string }>()
  const own = Object.keys(sqlLimits()).filter((name) => !/memory|threads/.test(name))
  for (const name of own)
    expect(settings.find((setting) => setting.name === name)?.value ?? '', name).toBe(`${sqlLimits()[name]}`)
})
