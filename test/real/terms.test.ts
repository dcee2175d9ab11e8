import { afterAll, beforeAll, expect, it } from 'vitest'
import type { z } from 'zod'
import { collect } from '../../collect/collect.ts'
import { openSource } from '../../collect/open-source.ts'
import { keepToSource } from '../../collect/site-source.ts'
import { termNames } from '../../contract/listing-terms.ts'
import type { machinesAnswer } from '../../contract/machines.ts'
import { specNames } from '../../contract/spec-names.ts'
import type { termsAnswer } from '../../contract/terms.ts'
import { capture, currentSlot } from '../../ingest/capture.ts'
import { check } from '../../ingest/check.ts'
import { loadAll } from '../../ingest/load.ts'
import { rebuildSeries } from '../../ingest/pending-rollups.ts'
import { rangeToCheck } from '../../ingest/requested-range.ts'
import { createKey } from '../../platform/security/api-keys.ts'
import { execute, selectRows } from '../../platform/stores/clickhouse.ts'
import { seeded } from '../../simulate/random.ts'
import { addSeen } from '../daily-market.ts'
import { freshDatabases, type TestDatabases } from '../database.ts'
import { smallMarket } from '../market.ts'
import type { MachineAtSlot } from '../oracle/history.ts'
import { specsOf, termsOf } from '../oracle/terms.ts'
import { startServer } from '../server.ts'
import { openStandIn, rigsAt } from '../stand-in.ts'

let databases: TestDatabases
beforeAll(async () => {
  databases = await freshDatabases()
})
afterAll(() => databases?.close())

const columns = termNames.map((name) =>
  name === 'end_date' ? 'toUnixTimestamp(t.end_date) AS end_date' : `toFloat64(t.${name}) AS ${name}`,
)
const stored = ({ clickhouse } = databases) =>
  selectRows<Record<string, number | string | null>>(
    clickhouse,
    `SELECT toUnixTimestamp(t.slot) AS slot, gpu_name, machine_id, ${columns} FROM terms AS t FINAL ORDER BY gpu_name, machine_id, t.slot`,
  )
const storedSpecs = () =>
  selectRows<Record<string, number | string | boolean | null>>(
    databases.clickhouse,
    `SELECT toUnixTimestamp(s.slot) AS slot, gpu_name, machine_id, ${specNames} FROM specs AS s FINAL ORDER BY gpu_name, machine_id, s.slot`,
  )
const find = async () => check(databases, await rangeToCheck(databases, {}))

const hour = 3600
const start = 1_760_000_400
/** Slots of three hours, of which the third has a gap before it. */
const slots = [start, start + 300, start + 600, start + hour, start + 30 * hour, start + 30 * hour + 300]
const texts = [
  '',
  '[0.1,1790793441,null,0.978,0.2,0.001,0.002]',
  '[0.1,1790793441,null,0.979,0.2,0.001,0.002]',
  '[null,null,0.4,null,0,null,null]',
]

const specTexts = [
  '',
  '[812,904,3540,1830,"Xeon® E5-2690 v4",56,258000,12.3,1790,"535.86.05",12.8,100,true,341]',
  '[812,904,3540,1830,"Xeon® E5-2690 v4",56,258000,12.3,1790,"550.1",12.8,100,true,341]',
  '[null,null,null,500,null,null,null,null,null,null,null,0,false,0.125]',
]

/** Machines that come, go, change their terms and specs and go back to earlier ones. */
function changingMarket(seed: number): MachineAtSlot[] {
  const random = seeded(seed)
  const machine = (id: number) => ({
    machine: id,
    gpu: id % 3 ? 'RTX 4090' : 'H100 SXM',
    rig: 2,
    verified: true,
    price: 0.4,
  })
  return slots.flatMap((slot) =>
    Array.from({ length: 20 }, (_, index) => index + 1)
      .filter(() => random() < 0.8)
      .map((id) => ({
        ...machine(id),
        slot,
        hosting: 'community' as const,
        free: 1,
        rented: [{ gpus: 1, price: 0.3 }],
        tflops: 80,
        dlperf: 90,
        terms: texts[Math.floor(random() ** 2 * texts.length)] ?? '',
        specs: specTexts[Math.floor(random() * specTexts.length)] ?? '',
      })),
  )
}

it('terms and specs have a row for each change, in any order of slots, also when repeated', async () => {
  const seen = changingMarket(1)
  const at = (...which: number[]) => seen.filter(({ slot }) => which.some((index) => slots[index] === slot))
  // Slots between two existing ones, before all, after all, in a gap, and some existing ones.
  for (const which of [[1, 3], [2], [0], [5], [4], [1, 3]]) await addSeen(databases, at(...which), `${which}`)
  expect(termsOf(seen).length).toBeGreaterThan(40)
  expect(await stored()).toEqual(termsOf(seen))
  expect(specsOf(seen).length).toBeGreaterThan(40)
  expect(await storedSpecs()).toEqual(specsOf(seen))
})

it('open data has percentiles of specs of 5 machines and more', async () => {
  const rows = await selectRows<{ time: string; gpu_name: string; spec: string }>(
    databases.clickhouse,
    'data/specs',
    { csv: 0, from: start, to: start + hour },
  )
  const last = changingMarket(1).filter(({ slot, gpu }) => slot === start + 600 && gpu === 'RTX 4090')
  const scores = last
    .flatMap(({ specs }) => (specs ? [Number(JSON.parse(specs)[13])] : []))
    .sort((a, b) => a - b)
  expect(scores.length).toBeGreaterThan(4)
  const rank = (share: number) => scores[Math.ceil(share * scores.length) - 1]
  const found = rows.find(({ gpu_name, spec }) => gpu_name === 'RTX 4090' && spec === 'score')
  expect(found).toMatchObject({ machines: scores.length, p10: rank(0.1), median: rank(0.5), p90: rank(0.9) })
  const few = rows.filter(({ gpu_name }) => gpu_name === 'H100 SXM')
  expect(few.length).toBeGreaterThan(0)
})

it('the check finds a changed row of specs, and a rebuild computes it again', async () => {
  const { clickhouse } = databases
  const before = await storedSpecs()
  const wrong = before.find(({ score }) => score !== null)
  const at = Number(wrong?.slot)
  const where = `toUnixTimestamp(slot) = ${at} AND machine_id = ${wrong?.machine_id} AND gpu_name = '${wrong?.gpu_name}'`
  await execute(clickhouse, `ALTER TABLE specs UPDATE driver_version = '1.2' WHERE ${where}`)
  expect((await find()).problems).toMatchObject([{ table: 'specs', from: at, to: at + 1 }])
  await rebuildSeries(databases, { from: at, to: at + 1 })
  expect((await find()).problems).toEqual([])
  expect(await storedSpecs()).toEqual(before)
})

it('the table terms has the same rows when computed again, and the check finds a changed row', async () => {
  const { clickhouse } = databases
  const before = await stored()
  await rebuildSeries(databases, await rangeToCheck(databases, {}))
  expect(await stored()).toEqual(before)
  expect((await find()).problems).toEqual([])
  const wrong = before.find(({ reliability }) => reliability !== null)
  const at = Number(wrong?.slot)
  const where = `toUnixTimestamp(slot) = ${at} AND machine_id = ${wrong?.machine_id} AND gpu_name = '${wrong?.gpu_name}'`
  await execute(clickhouse, `ALTER TABLE terms UPDATE reliability = 0.5 WHERE ${where}`)
  const { problems } = await find()
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatchObject({ table: 'terms', from: at, to: at + 1 })
  expect(problems[0]?.problem).toContain('reliability is')
  await rebuildSeries(databases, { from: at, to: at + 1 })
  expect((await find()).problems).toEqual([])
  expect(await stored()).toEqual(before)
})

it('the table terms holds the terms of each kind of source in one unit', async () => {
  const own = await freshDatabases()
  const standIn = await openStandIn()
  const rigs = rigsAt(12)
  try {
    const known = {
      end_date: 1_798_734_448,
      credit_discount_max: 0.3,
      reliability: 0.99,
      storage_cost: 0.15,
      inet_up_cost: 0.002,
    }
    const list = rigs.map(({ id, gpu, gpus, price }) => ({
      machine_id: id,
      gpu_name: gpu,
      num_gpus: gpus,
      price,
      min_bid: price / 2,
      inet_down_cost: 0,
      ...known,
    }))
    const printed = `command=echo '${JSON.stringify(list)}'`
    for (const [index, place] of [`vast=${standIn.url}`, `exporter=${standIn.url}`, printed].entries()) {
      Object.assign(standIn, { rigs, time: start + index * 300 })
      const source = openSource(place, {})
      if (index === 0) await keepToSource(own.postgres, source)
      await own.postgres.query('UPDATE collector SET source = $1, validators = NULL', [source.name])
      await collect(own, source, { slot: start + index * 300, interval: 300 })
    }
    await loadAll(own)
    // The second and the third source report the same terms as the first, so there is no change.
    expect((await stored(own)).sort((a, b) => Number(a.machine_id) - Number(b.machine_id))).toEqual(
      rigs.map(({ id, gpu, price }) => ({
        slot: start,
        machine_id: id,
        gpu_name: gpu,
        min_bid: expect.closeTo(price / 2, 9),
        inet_down_cost: 0,
        ...known,
      })),
    )
  } finally {
    standIn.close()
    await own.close()
  }
})

it('the API returns the terms of the market and of own machines', async () => {
  const server = await startServer({ seriesMaxAgeMs: 0 })
  try {
    const { postgres } = server
    await smallMarket(postgres, 120)
    const slot = (await currentSlot(postgres, 300)) - 300
    const end = slot + 3 * 86_400
    // Bids of a GPU name are 0.01, 0.02, … 0.40; the host has all machines but two.
    await postgres.query(
      `UPDATE gpu_listings SET min_bid = ceil(machine_id / 3.0) / 100, expires_at = to_timestamp($1), inet_up_cost = 0`,
      [end],
    )
    await postgres.query(`UPDATE machines SET reliability = 0.9 WHERE id % 3 = 0 AND id < 10`)
    await postgres.query(
      `INSERT INTO accounts (id, name, is_host) VALUES (1003, 'b', true), (1004, 'c', true)`,
    )
    await postgres.query(`UPDATE machines SET account_id = 1002 + id / 3 WHERE id IN (3, 6)`)
    await capture(postgres, slot)
    await loadAll(server)
    const { key } = await createKey(postgres, { accountId: 1001 })

    const { body } = await server.get('/api/v0/metrics/gpu/terms?verified=all', key)
    const { gpus, ...rest } = body as z.infer<typeof termsAnswer>
    expect(rest).toEqual({ success: true, needs_machine: false, slot })
    const unknown = { machines: 0, p10: null, median: null, p90: null, reason: 'not_known' }
    expect(gpus['RTX 4090']).toEqual({
      machines: 40,
      min_bid: { machines: 40, p10: 0.04, median: 0.2, p90: 0.36, reason: null },
      end_date: { machines: 40, p10: end, median: end, p90: end, reason: null },
      inet_up_cost: { machines: 40, p10: 0, median: 0, p90: 0, reason: null },
      reliability: { ...unknown, machines: 3, reason: 'few_machines' },
      credit_discount_max: unknown,
      storage_cost: unknown,
      inet_down_cost: unknown,
    })
    expect(gpus['H100 SXM']?.min_bid).toMatchObject({ machines: 40, median: null, reason: 'few_hosts' })

    const ownTerms = async () => {
      const { body } = await server.get('/api/v0/metrics/machines?id=9&figures=no', key)
      return (body as z.infer<typeof machinesAnswer>).machines[0]?.terms
    }
    const terms = {
      min_bid: 0.03,
      end_date: end,
      reliability: 0.9,
      inet_up_cost: 0,
      credit_discount_max: null,
      storage_cost: null,
      inet_down_cost: null,
    }
    expect(await ownTerms()).toEqual(terms)
    const rented = (await server.get('/api/v0/machines/9/?owner=me', key)).body as unknown as {
      min_bid_price: number
    }[]
    expect(rented[0]).toMatchObject({ min_bid_price: 0.03, reliability2: 0.9, listed_inet_up_cost: 0 })

    const condition = { kind: 'listing_ends', machine_id: 9, days: 7 }
    const tried = await server.send('POST', '/api/v0/alerts/try', key, { condition, days: 1 })
    expect(tried.body).toMatchObject({ fired: 1, entries: [{ machine_id: 9, value: 3, limit: 7 }] })
    const early = { ...condition, days: 2 }
    expect(
      (await server.send('POST', '/api/v0/alerts/try', key, { condition: early, days: 1 })).body,
    ).toMatchObject({ fired: 0 })

    // The terms are cached until the next slot.
    await postgres.query('UPDATE gpu_listings SET min_bid = 0.07 WHERE machine_id = 9')
    await capture(postgres, slot + 300)
    await loadAll(server)
    expect(await ownTerms()).toEqual({ ...terms, min_bid: 0.07 })
  } finally {
    await server.close()
  }
})
