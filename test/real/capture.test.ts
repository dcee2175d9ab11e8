import { afterAll, beforeAll, expect, it } from 'vitest'
import { specsText } from '../../contract/specs-text.ts'
import { capture } from '../../ingest/capture.ts'
import { check, seriesRange } from '../../ingest/check.ts'
import { loadAll } from '../../ingest/load.ts'
import { execute, selectRows } from '../../platform/stores/clickhouse.ts'
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

it('capture reads each machine a few times, also without statistics, as after a restore', async () => {
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

const dimensionsOf = (slot: number) =>
  selectRows(
    databases.clickhouse,
    `SELECT gpus, machines, rented, host_id, country, gpu_ram, rental_type, min_gpus FROM observations
     WHERE machine_id = 1 AND slot = {slot:UInt32} ORDER BY rented, rental_type`,
    { slot },
  )

it('capture records the host, the place and the rental type of a machine', async () => {
  const { postgres } = databases
  await postgres.query(
    `UPDATE machines SET geolocation = 'Stockholm, SE', min_gpus = 2, num_gpus = 8 WHERE id = 1`,
  )
  await postgres.query(`UPDATE machines SET geolocation = 'somewhere' WHERE id = 3`)
  await postgres.query(
    `WITH rented AS (
       INSERT INTO contracts (machine_id, account_id, price, rental_type)
       SELECT 1, 1002, 0.5, type FROM unnest(ARRAY['reserved', 'interruptible', NULL]) AS type
       RETURNING id
     )
     INSERT INTO gpu_holds (machine_id, gpu_index, contract_id) SELECT 1, row_number() OVER (), id FROM rented`,
  )
  await capture(postgres, 1_752_000_300)
  await loadAll(databases)
  const known = { host_id: 1001, country: 'SE', gpu_ram: 24_576, min_gpus: 2 }
  // GPUs rented at one price with three rental types are three rows.
  expect(await dimensionsOf(1_752_000_300)).toEqual([
    { gpus: 5, machines: 1, rented: false, rental_type: 'unknown', ...known },
    { gpus: 1, machines: 0, rented: true, rental_type: 'unknown', ...known },
    { gpus: 1, machines: 0, rented: true, rental_type: 'reserved', ...known },
    { gpus: 1, machines: 0, rented: true, rental_type: 'interruptible', ...known },
  ])
  const places = 'SELECT DISTINCT country FROM observations WHERE machine_id = 3'
  expect(await selectRows(databases.clickhouse, places)).toEqual([{ country: '' }])
  const range = await seriesRange(databases.clickhouse)
  expect(await check(databases, range)).toMatchObject({ problems: [] })

  const doubled = `INSERT INTO observations SELECT * FROM observations WHERE machine_id = 1 AND rental_type = 'reserved'`
  await execute(databases.clickhouse, doubled)
  expect(await check(databases, range)).toMatchObject({
    problems: expect.arrayContaining([
      expect.objectContaining({ table: 'slots', from: 1_752_000_300, fix: 'rackrate reconcile' }),
    ]),
  })
})

it.each([
  ['in contracts alone', false],
  ['listed and in contracts', true],
])('leaves out a machine with more GPUs %s than it has, and counts it', async (_, isListed) => {
  const { postgres } = databases
  const slot = isListed ? 1_752_000_900 : 1_752_000_600
  const listed = `UPDATE gpu_listings SET ended_at = $1 WHERE machine_id = 1 AND (ended_at IS NULL) = $2`
  await postgres.query(listed, [isListed ? null : new Date(), !isListed])
  await postgres.query('UPDATE machines SET num_gpus = 2 WHERE id = 1')
  expect(await capture(postgres, slot)).toMatchObject({ left_out: 1, left_out_machines: [1] })
  await loadAll(databases)
  expect(await dimensionsOf(slot)).toEqual([])
  await postgres.query('UPDATE machines SET num_gpus = 8 WHERE id = 1')
  expect(await capture(postgres, slot + 60)).toMatchObject({ left_out: 0, left_out_machines: [] })
})

it('capture records specs as files give them, and counts a value that is not possible', async () => {
  const { postgres, clickhouse } = databases
  const specs = {
    inet_up: 1e9,
    inet_down: -5,
    disk_bw: 3542.71,
    disk_space: 1000,
    cpu_name: 'x'.repeat(10_000),
    cpu_cores_effective: 999.5,
    cpu_ram: 0.0125,
    pcie_bw: 'NaN',
    gpu_mem_bw: 0,
    driver_version: '535.86.05',
    cuda_max_good: 12.8,
    direct_port_count: 0,
    static_ip: false,
    score: 341.25,
  }
  const names = Object.keys(specs)
  const changes = names.map((name, place) => `${name} = $${place + 2}`)
  await postgres.query(`UPDATE machines SET ${changes} WHERE id = $1`, [3, ...Object.values(specs)])
  const slot = 1_752_001_500
  expect(await capture(postgres, slot)).toMatchObject({ left_out_specs: 4 })
  await loadAll(databases)
  const query =
    'SELECT DISTINCT machine_id, specs FROM observations WHERE slot = {slot:UInt32} AND machine_id < 4'
  const found = await selectRows<{ machine_id: number; specs: string }>(clickhouse, query, { slot })
  const textOf = (id: number) => found.find(({ machine_id }) => machine_id === id)?.specs
  expect(textOf(3)).toBe(specsText(specs))
  expect(textOf(3)).toBe('[null,null,3540,1000,null,1000,0.0125,null,null,"535.86.05",12.8,0,false,341]')
  expect(textOf(2)).toBe(specsText({ disk_space: 1000 }))
})

it('a contract can be ended by one of its sides or by the system, and not while it runs', async () => {
  const { postgres } = databases
  const end = (by: string, at: string) =>
    postgres.query(`UPDATE contracts SET ended_by = $1, ended_at = ${at} WHERE id = 1`, [by])
  await expect(end('renter', 'NULL')).rejects.toThrow('violates check constraint')
  await expect(end('nobody', 'rackrate_now()')).rejects.toThrow('violates check constraint')
  for (const by of ['host', 'renter', 'system']) await end(by, 'rackrate_now()')
})
