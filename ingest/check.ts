import { ceilTo, ladder, slotStep } from '../contract/ladder.ts'
import { type ClickHouse, selectRows } from '../platform/stores/clickhouse.ts'
import { locks, type Postgres, withAdvisoryLock } from '../platform/stores/postgres.ts'
import { observedSince } from '../platform/stores/retention.ts'
import { loadSql } from '../platform/stores/sql.ts'
import { observationsPerHour, observedPart, type Range, split, wholeBuckets } from './rollup.ts'

export interface WrongRow {
  step: number
  verified: string
  hosting_type: string
  num_gpus: number
  gpu_name: string
  bucket: number
}

export interface WrongSlot {
  slot: number
  source: string
  entered: number
  found: number
  distinct_rows: number
}

export interface CheckResult {
  /** Rows of the cube that are missing, left over or different. */
  rows: WrongRow[]
  /** Slots of the series with lost or doubled observations. */
  slots: WrongSlot[]
  /** Snapshots that Postgres calls loaded and the series doesn't show. */
  lost: number[]
}

/**
 * Does every row of the cube equal what the observations give, and is every slot there once? Empty lists mean yes. What observations
 * that are no longer kept gave isn't looked at.
 */
export async function check(postgres: Postgres, clickhouse: ClickHouse, range: Range): Promise<CheckResult> {
  return withAdvisoryLock(postgres, locks.series, async () => {
    const hours = await observationsPerHour(clickhouse, wholeBuckets(604_800, range))
    const since = await observedSince(postgres)
    const rows: WrongRow[] = []
    for (const step of [slotStep, ...ladder]) {
      const { from, to } = wholeBuckets(step, range)
      for (const part of split(hours, step, {
        from: Math.max(from, ceilTo(Math.max(step, 3600), since)),
        to,
      })) {
        rows.push(
          ...(await selectRows<WrongRow>(clickhouse, loadSql('clickhouse/queries/check/rows'), {
            ...part,
            step,
          })),
        )
      }
    }
    const slots: WrongSlot[] = []
    for (const part of split(hours, slotStep, observedPart(range, since))) {
      slots.push(
        ...(await selectRows<WrongSlot>(clickhouse, loadSql('clickhouse/queries/check/slots'), { ...part })),
      )
    }
    return { rows, slots, lost: await lostSnapshots(postgres, clickhouse, range) }
  })
}

async function lostSnapshots(postgres: Postgres, clickhouse: ClickHouse, range: Range): Promise<number[]> {
  const { rows: taken } = await postgres.query<{ slot: number }>(
    'SELECT slot FROM snapshots WHERE loaded_at IS NOT NULL AND slot >= $1 AND slot < $2 ORDER BY slot',
    [range.from, range.to],
  )
  const shown = await selectRows<{ slot: number }>(clickhouse, loadSql('clickhouse/queries/slots/shown'), {
    ...range,
  })
  const there = new Set(shown.map((row) => row.slot))
  return taken.map((row) => row.slot).filter((slot) => !there.has(slot))
}

/** The whole series, from its first slot to just past its last. */
export async function seriesRange(clickhouse: ClickHouse): Promise<Range> {
  const [range] = await selectRows<Range>(clickhouse, loadSql('clickhouse/queries/series/range'))
  return range ?? { from: 0, to: 0 }
}
