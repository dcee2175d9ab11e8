import { hour } from '../../../contract/durations.ts'
import type { MarketFilter } from '../../../contract/filter-fields.ts'
import { horizons, usualGpus } from '../../../contract/forecast.ts'
import { filterParameters } from '../../../contract/market-filter.ts'
import { type HourlyValues, type ProbabilityRecord, recordOf } from '../../../estimates/forecast.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import type { Stores } from '../../../platform/stores/stores.ts'
import { everything } from '../market-query/select.ts'
import { watchSeries } from '../market-query/series.ts'
import { readAvailable, readAvailableThen, usualPrice } from './available.ts'
import {
  type Figures,
  forecastAvailable,
  forecastFigure,
  type Hours,
  knownHours,
  type Measure,
  measures,
  readFigures,
} from './market-forecast.ts'

const recorded = 30 * 24 * hour
/** Seconds without a new slot after which no forecast is made: no outcome would arrive to score it. */
const newestAge = 3 * hour

/** The values of `verified` whose forecasts are stored. */
const storedFor = ['yes', 'all'] as const
export function isStored(of: MarketFilter): boolean {
  const { verified, ...others } = filterParameters(of)
  return (
    storedFor.some((one) => one === verified) && Object.values(others).every((chosen) => chosen === 'all')
  )
}

/**
 * Stores forecasts made at the newest whole hour, for GPU names that have none yet. May run late, twice or never: forecasts are made only for the
 * newest hour, and stored ones stay unchanged. Returns the number of GPU names with new forecasts.
 */
export async function storeForecasts(
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
  for (const verified of storedFor) {
    const missing = await missingOf(postgres, names, { verified, to: hours.to })
    if (missing.length === 0) continue
    const asked = {
      ...hours,
      ...everything,
      verified,
      own: Number(state.is_own),
      has_rentals: Number(state.has_rentals),
      slots: await series.slots(),
    }
    const figures = await readFigures(clickhouse, missing, asked)
    const prices = [...figures].flatMap(([name, of]) => {
      const price = usualPrice(of)
      return price === null ? [] : [[name, price] as const]
    })
    const priceOf = new Map(prices)
    const available = await readAvailable(clickhouse, priceOf, asked, true)
    for (const [name, of] of figures) {
      if (stopping?.aborted) return kept
      const made = [
        ...(await forecastsOf(of)),
        ...(await forecastsOfAvailable(available.get(name) ?? [], priceOf.get(name) ?? 0)),
      ]
      if (made.length === 0) continue
      await postgres.query('forecasts/keep', [name, verified, hours.to, JSON.stringify(made)])
      kept += 1
    }
  }
  return kept
}

async function missingOf(postgres: Postgres, names: readonly string[], of: { verified: string; to: number }) {
  const { rows } = await readForecasts(postgres, names, { verified: of.verified, since: of.to })
  const there = new Set(rows.map(({ gpu_name }) => gpu_name))
  return names.filter((name) => !there.has(name))
}

async function forecastsOf(figures: Figures) {
  const made = []
  for (const measure of measures)
    for (const { ahead, now, forecast } of await forecastFigure(figures, measure))
      if (forecast && now !== null) {
        const { probability: _, ...told } = forecast
        made.push({ measure, horizon: ahead, now, ...told })
      }
  return made
}

async function forecastsOfAvailable(counts: HourlyValues, price: number) {
  const found = await forecastAvailable(counts, usualGpus)
  return found.flatMap(({ ahead, now, forecast }) =>
    forecast && now !== null
      ? [{ measure: 'available', horizon: ahead, now, ...forecast, price, gpus: usualGpus }]
      : [],
  )
}

interface StoredForecast {
  gpu_name: string
  measure: Measure | 'available'
  horizon: number
  known_until: number
  now: number
  value: number
  low: number
  high: number
  /** Set for a forecast of available GPUs; otherwise null. */
  price: number | null
  probability: number | null
}

const readForecasts = (
  postgres: Postgres,
  names: readonly string[],
  { verified, since }: { verified: string; since: number },
) => postgres.query<StoredForecast>('forecasts/made', [names, verified, since])

/** Scores the stored forecasts whose outcome became known in the last 30 days. */
export async function openTrackRecord(
  { postgres, clickhouse }: Stores,
  names: readonly string[],
  asked: Hours & { verified: string; slots: Uint32Array },
) {
  const { from, to, verified } = asked
  const since = to - recorded - Math.max(...horizons) * hour
  const { rows } = await readForecasts(postgres, names, { verified, since })
  const all = rows
    .map((row) => ({
      ...row,
      probability: row.probability ?? 0,
      at: row.known_until + (row.horizon - 1) * hour,
    }))
    .filter(({ at }) => at >= to - recorded && at < to)
  const availableThen = new Map<string, Awaited<ReturnType<typeof readAvailableThen>>>()
  for (const name of names) {
    const pairs = all.flatMap(({ gpu_name, at, price }) =>
      gpu_name === name && price !== null ? [{ at, price }] : [],
    )
    availableThen.set(name, await readAvailableThen(clickhouse, pairs, { ...asked, name }))
  }
  return (
    name: string,
    figures: Figures,
    of: { measure: Measure | 'available'; ahead: number },
  ): ProbabilityRecord => {
    const outcomes = all.flatMap((row) => {
      if (row.gpu_name !== name || row.measure !== of.measure || row.horizon !== of.ahead) return []
      const { at, price } = row
      const outcome =
        row.measure === 'available'
          ? (availableThen.get(name)?.({ at, price: price ?? 0 }) ?? null)
          : (figures[row.measure][(at - from) / hour] ?? null)
      return outcome === null ? [] : [{ ...row, outcome }]
    })
    return recordOf(outcomes, { least: 0, wanted: usualGpus })
  }
}
