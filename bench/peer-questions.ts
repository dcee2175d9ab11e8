import { availabilityAnswer } from '../contract/availability.ts'
import { day, hour } from '../contract/durations.ts'
import { historyAnswer } from '../contract/history.ts'
import { priceFigures } from '../contract/history-figures.ts'
import { floorTo } from '../contract/ladder.ts'
import type { Range } from '../ingest/ranges.ts'
import type { Size } from './simulated-market.ts'

/** A row of an answer: a GPU name, and its numbers. */
export type Row = [string, ...(number | null)[]]

/** The table of observations in an engine, and its expression for the unix time of a slot. */
interface Place {
  from: string
  slot: string
}

export interface Question {
  name: string
  days: number
  path: 'history' | 'availability'
  /** The parameters of the request to the service, without the range. */
  query: Record<string, string>
  /** The statement for an engine with the observations, in the SQL that ClickHouse, DuckDB and PostgreSQL share. */
  statement(range: Range, place: Place): string
  /** The rows of the service's answer, in the order of the statement's. */
  rowsOf(body: unknown): Row[]
}

const names = ['RTX 3090', 'RTX 4090', 'RTX 5090']

/** The range of whole hours that ends some hours before the newest one, by turn. */
export function rangeBefore(newest: number, { days, turn }: { days: number; turn: number }): Range {
  const to = floorTo(hour, newest) - turn * hour
  return { from: to - days * day, to }
}

/** The questions that a market of this size can answer. */
export const questions = ({ days, interval }: Size): Question[] =>
  [percentiles(7), percentiles(90), eightGpus(7, hour / interval), eightGpus(90, hour / interval)].filter(
    (question) => question.days < days,
  )

const inRange = ({ from, to }: Range, { slot }: Place) =>
  `gpu_name IN (${names.map((name) => `'${name}'`).join(', ')}) AND ${slot} >= ${from} AND ${slot} < ${to}`

/** Six percentiles of each hour, weighted by GPUs, nearest rank: the lowest price with at least that share of the GPUs at or below it. */
const percentiles = (days: number): Question => ({
  name: `3 GPU names × ${days} days × 1 h, six percentiles`,
  days,
  path: 'history',
  query: { gpu_name: names.join(','), verified: 'all', step: `${hour}` },
  statement: (range, place) => `
    WITH prices AS (
      SELECT gpu_name, ${place.slot} - ${place.slot} % ${hour} AS start, rented, price, sum(gpus) AS gpus
      FROM ${place.from} WHERE ${inRange(range, place)}
      GROUP BY 1, 2, 3, 4
    ), ranked AS (
      SELECT gpu_name, start, rented, price,
        sum(gpus) OVER (PARTITION BY gpu_name, start, rented ORDER BY price) AS below,
        sum(gpus) OVER (PARTITION BY gpu_name, start, rented) AS weight
      FROM prices
    )
    SELECT gpu_name, start, ${['rented', 'NOT rented']
      .flatMap((state) =>
        [10, 50, 90].map(
          (percent) => `min(CASE WHEN ${state} AND 100 * below >= ${percent} * weight THEN price END)`,
        ),
      )
      .map((figure, index) => `${figure} AS figure_${index}`)
      .join(', ')}
    FROM ranked GROUP BY gpu_name, start ORDER BY gpu_name, start`,
  rowsOf: (body) =>
    Object.entries(historyAnswer.parse(body).gpus)
      .sort()
      .flatMap(([name, { pricing }]) =>
        pricing.timestamps.map(
          (start, point): Row => [
            name,
            start,
            ...priceFigures.map((figure) => pricing[figure][point] ?? null),
          ],
        ),
      ),
})

/** The share of the hours in which 8 GPUs at $0.40 or less were available, on average over the slots of the hour. */
const eightGpus = (days: number, slotsAnHour: number): Question => ({
  name: `3 GPU names × ${days} days, hours with 8 GPUs at $0.40 or less`,
  days,
  path: 'availability',
  query: { gpu_name: names.join(','), verified: 'all', gpus: '8', price: '0.40', duration: 'no' },
  statement: (range, place) => `
    SELECT gpu_name, 0 AS start, count(*) AS hours
    FROM (
      SELECT gpu_name, ${place.slot} - ${place.slot} % ${hour} AS start, sum(gpus) AS gpus
      FROM ${place.from} WHERE NOT rented AND price <= 0.40 AND ${inRange(range, place)}
      GROUP BY 1, 2
    ) AS offered
    WHERE gpus >= ${8 * slotsAnHour} GROUP BY gpu_name ORDER BY gpu_name`,
  rowsOf: (body) =>
    Object.entries(availabilityAnswer.parse(body).gpus)
      .sort()
      .flatMap(([name, { hours, share }]): Row[] => (share ? [[name, 0, Math.round(share * hours)]] : [])),
})
