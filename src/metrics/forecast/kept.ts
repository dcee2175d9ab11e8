import { mean } from 'simple-statistics'
import { horizons } from '../../../contract/forecast.ts'
import type { ForecastRecord } from '../../../estimates/forecast.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'
import type { Stores } from '../../../platform/stores/stores.ts'
import { watchSeries } from '../question/series.ts'
import {
  type Figures,
  forecastFigure,
  type Hours,
  knownHours,
  type Measure,
  measures,
  readFigures,
} from './market-forecast.ts'

const hour = 3600
const recordOf = 30 * 24 * hour
/** A market that stands still for longer has nothing to come that a forecast could be tested on. */
const newestAge = 3 * hour

/** The filters whose forecasts are kept. */
const keptOf = ['yes', 'all'] as const
export const isKept = (of: { verified: string; hosting_type: string; num_gpus: number }): boolean =>
  keptOf.some((one) => one === of.verified) && of.hosting_type === 'all' && of.num_gpus === 0

/**
 * Keeps the forecasts from the newest whole hour, where they are not there yet. It may run late, twice or never: a forecast is only made while the
 * hour is the newest one, and what is kept stays as it is. Returns how many GPU names it made forecasts of.
 */
export async function keepForecasts(
  { postgres, clickhouse, clock }: Stores & { clock: Clock },
  stopping?: AbortSignal,
): Promise<number> {
  const series = watchSeries(postgres, clickhouse)
  const state = await series.state()
  const hours = knownHours(state)
  if (hours.to <= hours.from || state.newest_slot < clock.now() - newestAge) return 0
  const names = (await series.names())
    .filter(({ last_seen }) => last_seen >= hours.to - hour)
    .map(({ name }) => name)
  let kept = 0
  for (const verified of keptOf) {
    const missing = await missingOf(postgres, names, { verified, to: hours.to })
    if (missing.length === 0) continue
    const figures = await readFigures(clickhouse, missing, {
      ...hours,
      verified,
      hosting_type: 'all',
      num_gpus: 0,
    })
    for (const [name, of] of figures) {
      if (stopping?.aborted) return kept
      const made = await madeOf(of)
      if (made.length === 0) continue
      await postgres.query(loadSql('postgres/queries/forecasts/keep'), [
        name,
        verified,
        hours.to,
        JSON.stringify(made),
      ])
      kept += 1
    }
  }
  return kept
}

async function missingOf(postgres: Postgres, names: readonly string[], of: { verified: string; to: number }) {
  const { rows } = await readMade(postgres, names, { verified: of.verified, since: of.to })
  const there = new Set(rows.map(({ gpu_name }) => gpu_name))
  return names.filter((name) => !there.has(name))
}

async function madeOf(figures: Figures) {
  const made = []
  for (const measure of measures)
    for (const { ahead, now, forecast } of await forecastFigure(figures, measure))
      if (forecast && now !== null) made.push({ measure, horizon: ahead, now, ...forecast })
  return made
}

interface Made {
  gpu_name: string
  measure: Measure
  horizon: number
  known_until: number
  now: number
  value: number
  low: number
  high: number
}

const readMade = (
  postgres: Postgres,
  names: readonly string[],
  { verified, since }: { verified: string; since: number },
) => postgres.query<Made>(loadSql('postgres/queries/forecasts/made'), [names, verified, since])

/** How the forecasts that were kept fared whose outcome came in the last 30 days. */
export async function openTrackRecord(
  postgres: Postgres,
  names: readonly string[],
  { verified, from, to }: Hours & { verified: string },
) {
  const { rows } = await readMade(postgres, names, {
    verified,
    since: to - recordOf - Math.max(...horizons) * hour,
  })
  return (name: string, figures: Figures, of: { measure: Measure; ahead: number }): ForecastRecord => {
    const outcomes = rows.flatMap((row) => {
      const at = row.known_until + (of.ahead - 1) * hour
      const outcome = figures[of.measure][(at - from) / hour] ?? null
      const isOf = row.gpu_name === name && row.measure === of.measure && row.horizon === of.ahead
      return isOf && outcome !== null && at >= to - recordOf ? [{ ...row, outcome }] : []
    })
    const forecasts = outcomes.length
    if (forecasts === 0) return { forecasts, coverage: null, error_ratio: null }
    const asNow = mean(outcomes.map(({ now, outcome }) => Math.abs(outcome - now)))
    const error = mean(outcomes.map(({ value, outcome }) => Math.abs(outcome - value)))
    const isIn = ({ low, high, outcome }: (typeof outcomes)[number]) => outcome >= low && outcome <= high
    const coverage = outcomes.filter(isIn).length / forecasts
    return { forecasts, coverage, error_ratio: asNow === 0 ? null : error / asNow }
  }
}
