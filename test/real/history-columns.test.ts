import { afterAll, beforeAll, expect, it } from 'vitest'
import { alertStatistics } from '../../contract/alert-kinds.ts'
import { gpuHistory } from '../../contract/history.ts'
import { priceFigures } from '../../contract/history-figures.ts'
import { everyMachine, type Filters } from '../../contract/market-filter.ts'
import { observationColumns } from '../../ingest/observation-columns.ts'
import { execute, selectRows } from '../../platform/stores/clickhouse.ts'
import { loadSql } from '../../platform/stores/sql-files.ts'
import { freshDatabases, type TestDatabases } from '../database.ts'

// A figure of the history is in its zod schema, in a view and in a migration of the cube. These tests fail when one is forgotten.
let databases: TestDatabases
beforeAll(async () => {
  databases = await freshDatabases()
})
afterAll(() => databases?.close())

const parameters = {
  names: ['RTX 4090'],
  verified: 'all',
  hosting_type: 'all',
  num_gpus: 0,
  gpu_memory: 0,
  from: 0,
  to: 3600,
  slot: 0,
  last: 0,
  step: 3600,
  steps: [3600],
  hourly: true,
  stored_step: 3600,
  counted_step: 3600,
  pooled_step: 3600,
}
const columnsOf = (statement: string, given: object = parameters) =>
  selectRows<{ name: string; type: string }>(databases.clickhouse, `DESCRIBE (${statement}\n)`, { ...given })
const namesOf = async (query: string) =>
  (await columnsOf(loadSql(`clickhouse/queries/history/${query}`))).map(({ name }) => name).sort()

it('the statements answer exactly the columns of the schema', async () => {
  const { supply_demand, pricing } = gpuHistory.shape
  const keys = (shape: object) =>
    Object.keys(shape).filter((name) => !['timestamps', 'bucket_size'].includes(name))
  const rows = ['gpu_name', 'start']
  const counts = keys(supply_demand.shape)
  const prices = keys(pricing.shape)
  expect(await namesOf('stored')).toEqual([...rows, ...counts, ...prices, 'performance'].sort())
  expect(await namesOf('counts')).toEqual([...rows, ...counts, 'counted', 'performance'].sort())
  expect(await namesOf('prices')).toEqual([...rows, ...prices].sort())
  expect(await namesOf('latest')).toEqual(['gpu_name', 'performance'])
})

it('lines of the spool, and rows of an import, have every column of the observations', async () => {
  const namesIn = async (table: string) => (await columnsOf(`SELECT * FROM ${table}`)).map(({ name }) => name)
  const columns = await namesIn('observations')
  const computed = ['gpu_memory'] // from gpu_ram
  expect([...columns].sort()).toEqual([...observationColumns, ...computed, 'import_id'].sort())
  await execute(databases.clickhouse, 'import/stage', { table: 'import_stage_1' })
  const added = [...computed, 'carried', 'import_id', 'machines', 'source'] // set when the rows are moved
  expect((await namesIn('import_stage_1')).sort()).toEqual(
    ['place', 'file', 'line', ...columns.filter((name) => !added.includes(name))].sort(),
  )
})

it('the statement of alerts answers every figure that rules watch in it', async () => {
  const lists = {
    ...parameters,
    own: 1,
    has_rentals: 1,
    slots: [],
    gpus: [],
    verified: [],
    hosting_type: [],
    num_gpus: [],
    gpu_memory: [],
  }
  const columns = (await columnsOf(loadSql('clickhouse/queries/alerts/market'), lists)).map(
    ({ name }) => name,
  )
  const elsewhere = ['occupancy', 'fill_rate', 'list_price']
  const watched = alertStatistics.filter((statistic) => !elsewhere.includes(statistic))
  expect(columns).toEqual(expect.arrayContaining([...watched, ...priceFigures, ...Object.keys(everyMachine)]))
})

it('the views have the columns of the cube, in its order and with its types', async () => {
  const described = async (statement: string) =>
    (await columnsOf(statement)).map(({ name, type }) => ({ name, type }))
  const cube = await described('SELECT * EXCEPT (revision) FROM cube')
  const parameters = 'steps = {steps:Array(UInt32)}, from = {from:UInt32}, to = {to:UInt32}'
  expect(await described(`SELECT * FROM slot_rows(${parameters})`)).toEqual(cube)
  expect(await described(`SELECT * FROM bucket_rows(${parameters})`)).toEqual(cube)
})

it('the view of the market has the newest rows without a filter, and finds them by their key', async () => {
  const { clickhouse } = databases
  const everywhere = { step: 3600, gpu_name: 'L4', bucket: 3600, ...everyMachine, num_gpus: 0, gpu_memory: 0 }
  const parts: Record<keyof Filters, unknown> = {
    verified: 'yes',
    hosting_type: 'community',
    num_gpus: 8,
    gpu_memory: 80,
  }
  const values = [
    { ...everywhere, total: 6, revision: 1 },
    { ...everywhere, total: 7, revision: 2 },
    ...Object.entries(parts).map(([filter, value]) => ({
      ...everywhere,
      [filter]: value,
      total: 1,
      revision: 1,
    })),
  ]
  await clickhouse.insert({ table: 'cube', values, format: 'JSONEachRow' })
  expect(await selectRows(clickhouse, 'SELECT gpu_name, total FROM market WHERE step = 3600')).toEqual([
    { gpu_name: 'L4', total: 7 },
  ])
  const plan = await selectRows<{ explain: string }>(
    clickhouse,
    "EXPLAIN indexes = 1 SELECT total FROM market WHERE step = 3600 AND gpu_name = 'L4' AND bucket > now() - 86400",
  )
  const keys = plan.map(({ explain }) => explain.trim()).join(' ')
  for (const key of ['step', 'bucket', ...Object.keys(everyMachine), 'gpu_name']) expect(keys).toContain(key)
})
