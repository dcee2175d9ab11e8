import { afterAll, beforeAll, expect, it } from 'vitest'
import { collect } from '../../collect/collect.ts'
import { openSource } from '../../collect/open-source.ts'
import { keepToSource } from '../../collect/site-source.ts'
import { termNames } from '../../contract/term-names.ts'
import { check } from '../../ingest/check.ts'
import { loadAll } from '../../ingest/load.ts'
import { rangeToCheck } from '../../ingest/requested-range.ts'
import { rebuildSeries } from '../../ingest/rollup.ts'
import { execute, selectRows } from '../../platform/stores/clickhouse.ts'
import { seeded } from '../../simulate/random.ts'
import { addSeen } from '../daily-market.ts'
import { freshDatabases, type TestDatabases } from '../database.ts'
import type { Seen } from '../oracle/history.ts'
import { termsOf } from '../oracle/terms.ts'
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

/** Machines that come, go, change their terms and go back to earlier ones. */
function changingMarket(seed: number): Seen[] {
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
        ...{ slot, hosting: 'community' as const, free: 1, rented: [{ gpus: 1, price: 0.3 }] },
        ...{ tflops: 80, dlperf: 90, terms: texts[Math.floor(random() ** 2 * texts.length)] ?? '' },
      })),
  )
}

it('has a row for each change, whichever order slots come in, and again', async () => {
  const seen = changingMarket(1)
  const at = (...which: number[]) => seen.filter(({ slot }) => which.some((index) => slots[index] === slot))
  // Between two that are there, in front of all, behind all, in a gap, and some that are there.
  for (const which of [[1, 3], [2], [0], [5], [4], [1, 3]]) await addSeen(databases, at(...which), `${which}`)
  expect(termsOf(seen).length).toBeGreaterThan(40)
  expect(await stored()).toEqual(termsOf(seen))
})

it('gives the same rows when it is computed again, and the check finds a changed row', async () => {
  const { clickhouse } = databases
  const before = await stored()
  await rebuildSeries(databases, await rangeToCheck(databases, {}))
  expect(await stored()).toEqual(before)
  expect((await find()).problems).toEqual([])
  const [slot] = slots
  await execute(
    clickhouse,
    `ALTER TABLE terms UPDATE reliability = 0.5 WHERE toUnixTimestamp(slot) = ${slot} AND machine_id = 2`,
  )
  const problems = (await find()).problems
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatchObject({ table: 'terms', from: slot, to: start + 1 })
  expect(problems[0]?.problem).toContain('reliability is')
  await rebuildSeries(databases, { from: start, to: start + 1 })
  expect((await find()).problems).toEqual([])
  expect(await stored()).toEqual(before)
})

it('holds what each kind of source offers, in one unit', async () => {
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
      ...{
        machine_id: id,
        gpu_name: gpu,
        num_gpus: gpus,
        price,
        min_bid: price / 2,
        inet_down_cost: 0,
        ...known,
      },
    }))
    const printed = `command=echo '${JSON.stringify(list)}'`
    for (const [index, place] of [`vast=${standIn.url}`, `exporter=${standIn.url}`, printed].entries()) {
      Object.assign(standIn, { rigs, time: start + index * 300 })
      const source = openSource(place, {})
      await own.postgres.query('DELETE FROM collector')
      await keepToSource(own.postgres, source)
      await collect(own, source, { slot: start + index * 300, interval: 300 })
    }
    await loadAll(own)
    // The second and the third source say the same as the first, so there is no change.
    expect((await stored(own)).sort((a, b) => Number(a.machine_id) - Number(b.machine_id))).toEqual(
      rigs.map(({ id, gpu, price }) => ({
        ...{
          slot: start,
          machine_id: id,
          gpu_name: gpu,
          min_bid: expect.closeTo(price / 2, 9),
          inet_down_cost: 0,
          ...known,
        },
      })),
    )
  } finally {
    standIn.close()
    await own.close()
  }
})
