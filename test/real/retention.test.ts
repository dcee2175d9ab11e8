import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { importFiles } from '../../import/import-files.ts'
import { mappedFormat } from '../../import/mapping.ts'
import { capture } from '../../ingest/capture.ts'
import { check, seriesRange } from '../../ingest/check.ts'
import { loadAll } from '../../ingest/load.ts'
import { rebuildSeries } from '../../ingest/pending-rollups.ts'
import { execute, selectRows } from '../../platform/stores/clickhouse.ts'
import { migrate } from '../../platform/stores/migrate.ts'
import { observedSince, setRetention } from '../../platform/stores/retention.ts'
import { smallMarket } from '../market.ts'
import { startServer, type TestServer } from '../server.ts'

const day = 86_400
// A week has whole buckets of 420 s, so slots 300 and 360 s behind each of the days share one of them at whatever date this runs.
const week = 7 * day
const thisWeek = Math.floor(Date.now() / week / 1000) * week
// Two days that a retention of 50 days drops, and one that it keeps.
const [old, alsoOld, kept] = [thisWeek - 100 * day, thisWeek - 99 * day, thisWeek - 10 * day]
const slots = [old, alsoOld, kept].flatMap((start) => [300, 360, 4200].map((seconds) => start + seconds))

const dir = mkdtempSync(join(tmpdir(), 'rackrate-retention-'))
let server: TestServer
beforeAll(async () => {
  server = await startServer({ seriesMaxAgeMs: 0 })
  await smallMarket(server.postgres, 24)
  for (const slot of slots) await capture(server.postgres, slot)
  await loadAll(server)
})
afterAll(async () => {
  rmSync(dir, { recursive: true, force: true })
  await server?.close()
})

const ask = async (start: number, step: number) => {
  const query = `gpu_name=all&verified=all&start=${start}&end=${start + day}&step=${step}`
  const { headers, body } = await server.get(`/api/v0/metrics/gpu/history?${query}`)
  return { step: Number(headers['rackrate-step']), body }
}
const observations = () =>
  selectRows(
    server.clickhouse,
    `SELECT toUnixTimestamp(toStartOfDay(slot)) AS day FROM observations GROUP BY day ORDER BY day`,
  )
const derived = () =>
  selectRows(
    server.clickhouse,
    `SELECT * FROM (
       SELECT sum(cityHash64(* EXCEPT revision)) AS content, count() AS rows FROM cube FINAL UNION ALL
       SELECT sum(cityHash64(* EXCEPT revision)), count() FROM price_histogram FINAL UNION ALL
       SELECT sum(cityHash64(* EXCEPT revision)), count() FROM flows FINAL UNION ALL
       SELECT sum(cityHash64(* EXCEPT revision)), count() FROM slots FINAL
     ) ORDER BY content`,
  )
const wrong = async () => check(server, await seriesRange(server.clickhouse))
const steps = [60, 900, 3600, day, week, 7200]

it('retention drops old observations and nothing else', async () => {
  const { postgres, clickhouse } = server
  const answers = await Promise.all(slots.flatMap((slot) => steps.map((step) => ask(slot - 300, step))))
  const before = await derived()
  for (let times = 0; times < 2; times += 1) await setRetention({ postgres, clickhouse }, 50)
  await execute(clickhouse, 'OPTIMIZE TABLE observations/*!_local ON CLUSTER $cluster*/ FINAL')
  expect(await observations()).toEqual([{ day: kept }])
  expect(await derived()).toEqual(before)
  const { problems, not_checked } = await wrong()
  expect(problems).toEqual([])
  expect(not_checked.map(({ reason }) => reason).join()).toContain('no longer kept')
  expect(await Promise.all(slots.flatMap((slot) => steps.map((step) => ask(slot - 300, step))))).toEqual(
    answers,
  )
})

it('a rebuild leaves rows that it could not compute again', async () => {
  const before = await derived()
  await rebuildSeries(server, await seriesRange(server.clickhouse))
  expect(await derived()).toEqual(before)
  // The same holds for a single hour or slot.
  await rebuildSeries(server, { from: old + 300, to: old + 301 })
  expect(await derived()).toEqual(before)
})

it('a rebuild after observations were deleted by hand needs no second one', async () => {
  const { postgres, clickhouse } = server
  const byHand =
    'DELETE FROM observations/*!_local ON CLUSTER $cluster*/ WHERE slot = {slot:DateTime} AND machine_id % 2 = 0'
  await execute(clickhouse, byHand, { slot: kept + 300 })
  expect((await wrong()).problems.length).toBeGreaterThan(0)
  await rebuildSeries({ postgres, clickhouse }, await seriesRange(clickhouse))
  expect(await wrong()).toMatchObject({ problems: [] })
})

it('a step that needs dropped observations is answered by the next step that does not', async () => {
  expect((await ask(old, 420)).step).toBe(900)
  expect((await ask(old, 5400)).step).toBe(10_800)
  expect((await ask(old, 7200)).step).toBe(7200) // whole hours: from the histogram
  expect((await ask(kept, 420)).step).toBe(420)
})

it('an import of the time before is refused, row by row', async () => {
  const rows = [`${old + 900},1,L4,1,1,0.5`, `${kept + 900},1,L4,1,1,0.5`]
  const file = join(dir, 'late.csv')
  writeFileSync(file, ['ts,machine,gpu,n,free,usd', ...rows].join('\n'))
  const format = mappedFormat(
    'slot=ts,machine_id=machine,gpu_name=gpu,num_gpus=n,gpus=free,price=usd',
    'late',
  )
  expect(await importFiles(server, [file], { format })).toMatchObject({
    inserted: 1,
    rejected: [{ line: 2, reason: 'older than observations are kept (OBSERVATION_RETENTION)' }],
  })
  expect(await wrong()).toMatchObject({ problems: [] })
})

it('a longer retention, or none, restores nothing', async () => {
  const { postgres, clickhouse, clickhouseAddress } = server
  const gone = thisWeek - 50 * day
  await migrate(postgres, clickhouse, clickhouseAddress, { retention: 400 })
  expect(await observedSince(postgres)).toBeGreaterThanOrEqual(gone)
  await migrate(postgres, clickhouse, clickhouseAddress)
  expect(await observedSince(postgres)).toBeGreaterThanOrEqual(gone)
  const [{ ttl } = { ttl: 0 }] = await selectRows<{ ttl: number }>(
    clickhouse,
    `SELECT countIf(position(create_table_query, 'TTL slot') > 0) AS ttl FROM system.tables WHERE database = currentDatabase()`,
  )
  expect(ttl).toBe(0)
  expect((await ask(old, 420)).step).toBe(900)
})
