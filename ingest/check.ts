import { ceilTo, ladder, slotStep, wholeBuckets } from '../contract/ladder.ts'
import { type ClickHouse, selectRows } from '../platform/stores/clickhouse.ts'
import { one } from '../platform/stores/rows.ts'
import { loadSql } from '../platform/stores/sql-files.ts'
import type { Stores } from '../platform/stores/stores.ts'
import { type Hour, observedPart, type Range, split } from './ranges.ts'
import { observationsPerHour } from './rollup.ts'
import { holdSeries, type Series } from './write-series.ts'

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
  /** Slots with lost or doubled observations. */
  slots: WrongSlot[]
  /** Snapshots that are loaded according to PostgreSQL and that readers of the series do not see. */
  lost: number[]
}

/**
 * Verifies the rows of the cube against the observations, and that the series has every slot once. Empty lists mean that all is well.
 * Rows whose observations are no longer kept are not checked.
 */
export const check = (stores: Stores, range: Range): Promise<CheckResult> =>
  holdSeries(stores, async (series) => {
    const hours = await observationsPerHour(series.clickhouse, wholeBuckets(604_800, range))
    return {
      rows: await wrongRows(series, hours, range),
      slots: await wrongSlots(series, hours, range),
      lost: await lostSnapshots(series, range),
    }
  })

async function wrongRows({ clickhouse, since }: Series, hours: Hour[], range: Range): Promise<WrongRow[]> {
  const wrong: WrongRow[] = []
  for (const step of [slotStep, ...ladder]) {
    const { from, to } = wholeBuckets(step, range)
    const kept = { from: Math.max(from, ceilTo(Math.max(step, 3600), since)), to }
    for (const part of split(hours, step, kept)) {
      const query = loadSql('clickhouse/queries/check/rows')
      wrong.push(...(await selectRows<WrongRow>(clickhouse, query, { ...part, step })))
    }
  }
  return wrong
}

async function wrongSlots({ clickhouse, since }: Series, hours: Hour[], range: Range): Promise<WrongSlot[]> {
  const wrong: WrongSlot[] = []
  for (const part of split(hours, slotStep, observedPart(range, since))) {
    const query = loadSql('clickhouse/queries/check/slots')
    wrong.push(...(await selectRows<WrongSlot>(clickhouse, query, { ...part })))
  }
  return wrong
}

async function lostSnapshots({ postgres, clickhouse }: Series, { from, to }: Range): Promise<number[]> {
  const { rows: loaded } = await postgres.query<{ slot: number }>(
    loadSql('postgres/queries/check/loaded_snapshots'),
    [from, to],
  )
  const query = loadSql('clickhouse/queries/slots/shown')
  const shown = await selectRows<{ slot: number }>(clickhouse, query, { from, to })
  const there = new Set(shown.map((row) => row.slot))
  return loaded.map((row) => row.slot).filter((slot) => !there.has(slot))
}

/** The whole series, from its first slot to just after its last. */
export async function seriesRange(clickhouse: ClickHouse): Promise<Range> {
  return one(await selectRows<Range>(clickhouse, loadSql('clickhouse/queries/series/range')))
}
