// A test file that runs in a copy of the recorded release, so it imports the code of that release (record.mjs).
import { writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { check, seriesRange } from '../../ingest/check.ts'
import { loadAll } from '../../ingest/load.ts'
import { publishDays } from '../../ingest/publish-days.ts'
import { selectRows } from '../../platform/stores/clickhouse.ts'
import { clickhouseFiles, postgresFiles } from '../../platform/stores/schema-files.ts'
import { startServer } from '../server.ts'

const day = 86_400
const names = ['RTX 4090', 'H100 SXM', 'L4', 'A100', 'T4']
const firstSlot = 1_750_000_200
// Five days in slots of five minutes, most of them missing.
const slots = Array.from({ length: 60 }, (_, n) => firstSlot + 300 * ((n % 4) + 24 * n))

/** The lines of a machine at a slot, rented in part. A100 has two sizes of memory, and some machines report none. */
function linesOf(slot, n, machine) {
  const rig = 2 ** (machine % 4)
  const rented = (n * 7 + machine * 3) % (rig + 1)
  const memory =
    machine % 13 === 0 ? null : [24_564, 81_559, 23_034, machine % 2 ? 40_960 : 81_920, 15_360][machine % 5]
  const line = (gpus, machines, isRented) =>
    JSON.stringify([
      slot,
      machine,
      names[machine % 5],
      rig,
      gpus,
      machines,
      isRented,
      machine % 5 < 3,
      ['unknown', 'community', 'secure_cloud'][machine % 3],
      0.1 + ((n * 13 + machine * 29 + (isRented ? 5 : 0)) % 97) / 100,
      machine % 7 === 0 ? null : 40 + machine,
      10.5 + machine,
      'market',
      machine % 8,
      ['US', 'DE', ''][machine % 3],
      memory,
      isRented ? 'on_demand' : 'unknown',
      machine % 4 ? null : 1,
      n % 40 < 20 ? '' : JSON.stringify([0.05, null, null, 0.99, 0.1, null, null]),
    ])
  return [
    ...(rented > 0 ? [line(rented, 1, true)] : []),
    ...(rented < rig ? [line(rig - rented, rented > 0 ? 0 : 1, false)] : []),
  ]
}

const history = (query) => {
  const { start, days, ...filter } = query
  const parameters = { gpu_name: 'all', ...filter, start, end: start + days * day }
  return `/api/v0/metrics/gpu/history?${new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, `${value}`]))}`
}
const secondDay = firstSlot + 2 * day
// Steps on the ladder, other whole hours, other steps below an hour, and single slots.
const requests = [
  history({ step: 900, start: firstSlot, days: 3 }),
  history({ verified: 'no', hosting_type: 'community', step: day, start: firstSlot, days: 3 }),
  history({ hosting_type: 'secure_cloud', num_gpus: 4, step: 7200, start: firstSlot, days: 3 }),
  history({ step: 420, start: firstSlot, days: 3 }),
  history({ verified: 'no', hosting_type: 'community', step: 60, start: firstSlot, days: 3 }),
  history({ hosting_type: 'secure_cloud', num_gpus: 4, step: 3600, start: secondDay, days: 9 }),
  history({ step: 7 * day, start: secondDay, days: 9 }),
]

it('records the series', async () => {
  const server = await startServer({ seriesMaxAgeMs: 0 })
  await server.postgres.query('UPDATE flow_progress SET interval = 3600')
  for (const [n, slot] of slots.entries()) {
    const machines = Array.from({ length: 20 }, (_, machine) => machine).filter(
      (machine) => (n + machine) % 11 !== 0,
    )
    const rows = machines.flatMap((machine) => linesOf(slot, n, machine))
    await server.postgres.query('INSERT INTO snapshots (slot, source, observations) VALUES ($1, $2, $3)', [
      slot,
      'market',
      rows.length,
    ])
    await server.postgres.query('INSERT INTO spool (slot, part, rows) VALUES ($1, 0, $2)', [
      slot,
      rows.join('\n'),
    ])
  }
  await loadAll(server)
  await publishDays(server)
  expect(await check(server, await seriesRange(server.clickhouse))).toMatchObject({ problems: [] })
  const tables = await selectRows(
    server.clickhouse,
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree' AND name != 'migrations' ORDER BY name`,
  )
  // Written as text, since integers of 64 bits do not fit a number.
  const lines = {}
  for (const { name } of tables) {
    const found = `SELECT formatRow('JSONEachRow', *) AS line FROM ${name} ${name === 'observations' ? '' : 'FINAL'}`
    lines[name] = (await selectRows(server.clickhouse, found)).map(({ line }) => line.trim())
  }
  const answers = []
  for (const path of requests) {
    const { status, body } = await server.get(path)
    expect(status).toBe(200)
    answers.push({ path, body })
  }
  for (const table of ['observations', 'cube', 'flows', 'machine_days', 'price_index', 'terms'])
    expect(lines[table].length, table).toBeGreaterThan(20)
  const files = { postgres: postgresFiles(), clickhouse: clickhouseFiles() }
  writeFileSync(process.env.RECORD_TO, gzipSync(JSON.stringify({ files, lines, answers }), { level: 9 }))
  await server.close()
}, 600_000)
