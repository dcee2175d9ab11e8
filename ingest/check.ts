import { ceilTo, isHourly, ladder, priceSteps, slotStep, wholeBuckets } from '../contract/ladder.ts'
import { summedSince } from '../platform/stores/backfills.ts'
import { type ClickHouse, selectRows } from '../platform/stores/clickhouse.ts'
import { flowProgress } from '../platform/stores/flow-progress.ts'
import { one } from '../platform/stores/rows.ts'
import { loadSql } from '../platform/stores/sql-files.ts'
import type { Stores } from '../platform/stores/stores.ts'
import { mostElements } from './flows.ts'
import { findDueDays, secondsPerDay } from './publish-days.ts'
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

/** Rows of a GPU name on a day (unix seconds) in machine_days or price_index; the name of the market is empty. */
export interface WrongDay {
  table: string
  gpu_name: string
  day: number
}

export interface WrongSlot {
  slot: number
  source: string
  entered: number
  found: number
  distinct_rows: number
}

export interface WrongFlow extends Omit<WrongRow, 'step' | 'verified' | 'bucket'> {
  hour: number
  verified: boolean
  position: number
}

export interface CheckResult {
  /** Rows of the cube, of the price steps and of the tables by day that are missing, left over or different. */
  rows: (WrongRow | WrongDay)[]
  /** Rows of the flows that are missing, left over or different. */
  flows: WrongFlow[]
  /** Slots with lost or doubled observations. */
  slots: WrongSlot[]
  /** Snapshots that are loaded according to PostgreSQL and that readers of the series do not see. */
  lost: number[]
}

/**
 * Verifies the rows of the cube, of the price steps, of the flows and of the published days against the observations, and that the series
 * has every slot once. Empty lists mean that all is well.
 * Rows whose observations are no longer kept are not checked, nor those that an upgrade has yet to complete.
 */
export const check = (stores: Stores, range: Range): Promise<CheckResult> =>
  holdSeries(stores, async (series) => {
    const hours = await observationsPerHour(series.clickhouse, wholeBuckets(604_800, range))
    return {
      rows: [...(await wrongRows(series, hours, range)), ...(await wrongDays(series, range))],
      flows: await wrongFlows(series, hours, range),
      slots: await wrongSlots(series, hours, range),
      lost: await lostSnapshots(series, range),
    }
  })

async function wrongRows(series: Series, hours: Hour[], range: Range): Promise<WrongRow[]> {
  const summed = await summedSince(series.postgres)
  const wrong: WrongRow[] = []
  const compare = async (what: 'rows' | 'price_steps', step: number) => {
    const since = isHourly(step) ? Math.max(series.since, summed) : series.since
    const { from, to } = wholeBuckets(step, range)
    const kept = { from: Math.max(from, ceilTo(Math.max(step, 3600), since)), to }
    const query = loadSql(`clickhouse/queries/check/${what}`)
    for (const part of split(hours, step, kept))
      wrong.push(...(await selectRows<WrongRow>(series.clickhouse, query, { ...part, step })))
  }
  for (const step of [slotStep, ...ladder]) await compare('rows', step)
  for (const step of priceSteps) await compare('price_steps', step)
  return wrong
}

/** Hours whose flows are still to be made after an upgrade are left out. */
async function wrongFlows(series: Series, hours: Hour[], range: Range): Promise<WrongFlow[]> {
  const { filled, until } = await flowProgress(series.postgres)
  const isMade = (hour: number) => hour >= filled || hour < until
  const wrong: WrongFlow[] = []
  const kept = wholeBuckets(3600, observedPart(range, series.since))
  for (const part of split(hours, 3600, kept, mostElements)) {
    const query = loadSql('clickhouse/queries/check/flows')
    const parameters = { ...part, longest: series.longestPair }
    const found = await selectRows<WrongFlow>(series.clickhouse, query, parameters)
    wrong.push(...found.filter(({ hour }) => isMade(hour)))
  }
  return wrong
}

/** Days whose slots have changed since are left out: they are to be published again. */
async function wrongDays({ clickhouse, since }: Series, range: Range): Promise<WrongDay[]> {
  const kept = { ...range, from: Math.max(range.from, ceilTo(secondsPerDay, since)) }
  const query = loadSql('clickhouse/queries/check/days')
  const days = await selectRows<{ day: number }>(clickhouse, query, kept)
  const due = days.length > 0 ? await findDueDays(clickhouse, wholeBuckets(secondsPerDay, kept)) : []
  const changed = new Set(due.map(({ day }) => day))
  const wrong: WrongDay[] = []
  for (const { day } of days.filter((published) => !changed.has(published.day)))
    wrong.push(
      ...(await selectRows<WrongDay>(clickhouse, loadSql('clickhouse/queries/check/day_rows'), { day })),
    )
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
