import { hour } from '../contract/durations.ts'
import { ceilTo, isHourly, ladder, priceSteps, slotStep, wholeBuckets } from '../contract/ladder.ts'
import { comparablePart, observedSince } from './changes.ts'
import { compareRows } from './compare-rows.ts'
import { lackingBefore } from './fill-past.ts'
import { type CheckPart, type NotChecked, resultOf, timeText } from './problems.ts'
import {
  cover,
  type Hour,
  observationsPerComparison,
  observedPart,
  partsOfSteps,
  type Range,
  split,
} from './ranges.ts'
import { describeStep, unknownSteps } from './unknown-steps.ts'
import type { Series } from './write-series.ts'

/**
 * Verifies the rows of the cube, the histogram, the price steps, the flows, the terms and the specs. Rows older than the observations are
 * skipped.
 */
export async function checkRows(
  { postgres, clickhouse }: Pick<Series, 'postgres' | 'clickhouse'>,
  hours: readonly Hour[],
  range: Range,
): Promise<CheckPart[]> {
  const since = await lackingBefore({ postgres, clickhouse })
  const [hourly, observed] = [ladder.filter(isHourly), ladder.filter((step) => !isHourly(step))]
  const notFilled = unfilled({ from: range.from, to: Math.min(range.to, since) })
  return [
    async ({ clickhouse }) => {
      const strange = await unknownSteps(clickhouse, range)
      return { problems: strange.map(describeStep), not_checked: notFilled }
    },
    ...checkPrices(hours, range, { table: 'price_histogram', seconds: hour, since }),
    ...priceSteps.flatMap((seconds) => checkPrices(hours, range, { table: 'price_steps', seconds, since })),
    ...checkCube(hours, range, { steps: [slotStep, ...observed], since }),
    ...checkCube(hours, range, { steps: hourly, since }),
    ...checkFlows(hours, { ...range, since }),
    ...checkChanges('terms', hours, range),
    ...checkChanges('specs', hours, range),
  ]
}

interface PriceRows {
  table: 'price_histogram' | 'price_steps'
  /** Seconds that a row covers. */
  seconds: number
  since: number
}

function checkPrices(
  hours: readonly Hour[],
  range: Range,
  { table, seconds, since }: PriceRows,
): CheckPart[] {
  const whole = wholeBuckets(seconds, range)
  return cover(split(hours, seconds, whole, observationsPerComparison), whole).map(
    (part) => async (series) => {
      const from = Math.max(part.from, ceilTo(seconds, Math.max(since, series.since)))
      if (from >= part.to) return resultOf()
      const parameters = { ...part, from, ...(table === 'price_steps' && { step: seconds }) }
      return resultOf(await compareRows(series.clickhouse, { table, seconds }, parameters))
    },
  )
}

/** In a small market, planning takes most of a statement's time. One statement then compares all steps. */
const checkCube = (
  hours: readonly Hour[],
  range: Range,
  { steps, since: filled }: { steps: readonly number[]; since: number },
): CheckPart[] =>
  partsOfSteps(hours, steps, range).map((part) => async (series) => {
    const since = Math.max(filled, series.since)
    const from = Math.max(part.from, since)
    if (from >= part.to) return resultOf()
    return resultOf(await compareRows(series.clickhouse, { table: 'cube' }, { ...part, from, since }))
  })

function checkFlows(hours: readonly Hour[], { since, ...range }: Range & { since: number }): CheckPart[] {
  const hourly = wholeBuckets(hour, range)
  const whole = { from: Math.min(hourly.to, Math.max(hourly.from, since)), to: hourly.to }
  return cover(split(hours, hour, whole, observationsPerComparison), whole).map((part) => async (series) => {
    const observed = observedPart(part, series.since)
    if (observed.from >= observed.to) return resultOf()
    const parameters = { ...observed, longest: series.longestPair }
    return resultOf(await compareRows(series.clickhouse, { table: 'flows', seconds: hour }, parameters))
  })
}

const checkChanges = (table: 'terms' | 'specs', hours: readonly Hour[], range: Range): CheckPart[] =>
  cover(split(hours, hour, range, observationsPerComparison), range).map((part) => async (series) => {
    const { from, to } = await comparablePart(series, part)
    if (from >= to) return resultOf()
    const parameters = { from, to, since: observedSince(series.since) }
    return resultOf(await compareRows(series.clickhouse, { table, seconds: 1 }, parameters))
  })

const unfilled = (left: Range): NotChecked[] =>
  left.from < left.to
    ? [
        {
          ...left,
          reason: `The derived rows before ${timeText(left.to)} are still being computed after an upgrade.`,
        },
      ]
    : []
