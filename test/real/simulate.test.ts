import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { capture } from '../../ingest/capture.ts'
import { check, seriesRange } from '../../ingest/check.ts'
import { loadAll } from '../../ingest/load.ts'
import { type ClickHouse, selectRows } from '../../platform/stores/clickhouse.ts'
import { demoAccounts, prepareMarket, seedMarket } from '../../simulate/create-market.ts'
import { fillHistory, readFacts } from '../../simulate/fill-history.ts'
import { createMarket } from '../../simulate/history.ts'
import { advanceMarket } from '../../simulate/live.ts'
import { openTerms } from '../../simulate/terms.ts'
import { watchRuns } from '../../simulate/unchanged-runs.ts'
import { freshDatabases, type TestDatabases } from '../database.ts'

const interval = 900
const now = 1_795_000_500
const market = { seed: 5, size: 150, days: 2, interval, now }
const forever = new AbortController().signal

let databases: TestDatabases
beforeEach(async () => {
  databases = await freshDatabases()
})
afterEach(() => databases.close())

const seriesOf = (clickhouse: ClickHouse) =>
  selectRows(
    clickhouse,
    `SELECT count() AS n, uniqExact(slot) AS slots, toUnixTimestamp(min(slot)) AS first, toUnixTimestamp(max(slot)) AS last,
       sum(cityHash64(*)) AS content
     FROM observations`,
  )

/** The rentals that begin, and the ones among them whose price is not the machine's asking price of the slot before. */
const startsOf = (clickhouse: ClickHouse) =>
  selectRows<{ wrong: unknown[]; begun: number }>(
    clickhouse,
    `SELECT groupArrayIf((machine_id, slot, price, asked), asked IS NULL OR asked <> price) AS wrong, count() AS begun
     FROM (
       SELECT machine_id, slot, price FROM observations AS now
       WHERE rented AND slot > (SELECT min(slot) FROM observations)
         AND (machine_id, price, slot - {interval:UInt32}) GLOBAL NOT IN (SELECT machine_id, price, slot FROM observations WHERE rented)
     ) AS begun
     LEFT JOIN (
       SELECT machine_id, slot + {interval:UInt32} AS slot, toNullable(price) AS asked FROM observations WHERE NOT rented
     ) AS before USING (machine_id, slot)`,
    { interval },
  )

async function expectNothingWrong({ postgres, clickhouse }: TestDatabases): Promise<void> {
  const result = await check({ postgres, clickhouse }, await seriesRange(clickhouse))
  expect(result).toMatchObject({ problems: [] })
}

describe('seedMarket', () => {
  it('fills an empty marketplace, once, with accounts to try it', async () => {
    const { postgres } = databases
    expect(await demoAccounts(postgres)).toBeUndefined()
    expect(await seedMarket(postgres, market)).toBe(true)
    expect(await seedMarket(postgres, market)).toBe(false)
    const accounts = await demoAccounts(postgres)
    const { rows } = await postgres.query(
      `SELECT count(*) AS machines, count(DISTINCT gpu_name) > 5 AS mixed FROM machines WHERE account_id = $1`,
      [accounts?.hostId],
    )
    expect(rows).toEqual([{ machines: 14, mixed: true }])
  })

  it.each([
    ['no market was prepared', undefined],
    ['the market was prepared for this slot', now + 60],
    ['the market was prepared for the slot before', now - 60],
  ])('writes what the history would have written for that slot if %s', async (_title, prepared) => {
    const { postgres, clock } = databases
    await clock.hold(now) // later, listings have ended
    const at = prepared === undefined ? undefined : await prepareMarket({ ...market, now: prepared })
    await seedMarket(postgres, market, at)
    await capture(postgres, now)
    const { rows } = await postgres.query<{ rows: string }>('SELECT rows FROM spool')
    const captured = rows
      .flatMap((part) => part.rows.split('\n'))
      .map((line) => JSON.parse(line).slice(1).toSpliced(11, 1)) // without the source

    const plan = { seed: market.seed, size: market.size, interval, anchor: now, past: market.days * 86_400 }
    const runs = watchRuns(interval, await readFacts(postgres), openTerms(market.seed))
    runs.see(await createMarket(plan), now)
    const written = runs.take().lines.map((line) => JSON.parse(line).slice(2).toSpliced(11, 1))
    const order = (lines: unknown[][]) => lines.map((line) => JSON.stringify(line)).sort()
    expect(order(captured)).toEqual(order(written))
  })
})

describe('fillHistory', () => {
  it('leads up to the first snapshot, without a gap or a wrong row', async () => {
    const { postgres, clickhouse, clock } = databases
    await clock.hold(now)
    await seedMarket(postgres, market)
    await capture(postgres, now)
    await loadAll({ postgres, clickhouse })
    const shares: number[] = []
    await fillHistory(databases, { signal: forever, onProgress: (share) => shares.push(share) })
    expect(shares.at(-1)).toBe(1)
    expect(await seriesOf(clickhouse)).toMatchObject([
      { slots: 2 * 96 + 1, first: now - 2 * 86_400, last: now },
    ])
    await expectNothingWrong(databases)
    const [starts] = await startsOf(clickhouse)
    expect(starts?.wrong).toEqual([])
    expect(starts?.begun).toBeGreaterThan(100)
  })
})

describe('advanceMarket', () => {
  it('leaves a real market alone', async () => {
    expect(await advanceMarket(databases.postgres)).toBe(0)
  })

  it('moves once a slot, keeps every promise of the schema and the market in balance', async () => {
    const { postgres } = databases
    await seedMarket(postgres, { ...market, size: 1000 })
    expect(await advanceMarket(postgres, { now })).toBe(0)
    let changes = 0
    for (let slot = 1; slot <= 50; slot += 1) {
      const [first, again] = await Promise.all([
        advanceMarket(postgres, { now: now + slot * 1800 }),
        advanceMarket(postgres, { now: now + slot * 1800 + 1 }),
      ])
      expect(Math.min(first, again)).toBe(0)
      changes += first + again
    }
    expect(changes).toBeGreaterThan(1000)
    expect(await stateOf(databases)).toEqual([
      {
        stray_holds: 0,
        bare_contracts: 0,
        listed: true,
        crowd: true,
        occupied: true,
        came: true,
        left: true,
      },
    ])
  })
})

async function stateOf({ postgres }: TestDatabases) {
  const { rows } = await postgres.query(
    `SELECT
       (SELECT count(*) FROM gpu_holds h JOIN contracts c ON c.id = h.contract_id JOIN machines m ON m.id = h.machine_id
        WHERE c.ended_at IS NOT NULL OR m.removed_at IS NOT NULL OR c.machine_id <> m.id OR gpu_index >= num_gpus) AS stray_holds,
       (SELECT count(*) FROM contracts c WHERE ended_at IS NULL
          AND NOT EXISTS (SELECT FROM gpu_holds h WHERE h.contract_id = c.id)) AS bare_contracts,
       (SELECT count(*) FROM gpu_listings WHERE ended_at IS NULL) = count(*) AS listed,
       count(*) BETWEEN 900 AND 1100 AS crowd,
       (SELECT count(*) FROM gpu_holds) / sum(num_gpus)::float8 BETWEEN 0.5 AND 0.8 AS occupied,
       max(m.id) > 1000 AS came,
       (SELECT count(*) > 0 FROM machines WHERE removed_at >= created_at AND removed_at > rackrate_now() - interval '1 hour') AS left
     FROM machines m WHERE removed_at IS NULL`,
  )
  return rows
}
