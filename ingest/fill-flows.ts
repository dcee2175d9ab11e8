import { flowProgress } from '../platform/stores/flow-progress.ts'
import type { Stores } from '../platform/stores/stores.ts'
import { showProgress } from './enter-slots.ts'
import { makeFlows } from './flows.ts'
import { observedPart } from './ranges.ts'
import { observationsPerHour } from './rollup.ts'
import { type Series, writeSeries } from './write-series.ts'

// Seconds of flows computed in one hold of the series. With 20,000 machines that takes some seconds.
const stretch = 6 * 3600

/**
 * Computes the flows of a series that is older than the table, newest hours first. The series is held for six hours of flows at a
 * time, so slots are loaded in between. It may be stopped or killed at any point: the next call continues from there. Returns the
 * number of computed hours.
 */
export async function fillFlows(stores: Stores, stop?: AbortSignal): Promise<number> {
  let seconds = 0
  while (!stop?.aborted && (await isLeft(stores))) seconds += await writeSeries(stores, fillStretch)
  return seconds / 3600
}

async function isLeft({ postgres }: Stores): Promise<boolean> {
  const { filled, until } = await flowProgress(postgres)
  return filled > until
}

async function fillStretch(series: Series): Promise<number> {
  const { filled, until } = await flowProgress(series.postgres)
  const left = observedPart({ from: until, to: filled }, series.since)
  const hours = await observationsPerHour(series.clickhouse, left)
  const to = (hours.at(-1)?.hour ?? until - 3600) + 3600
  const from = Math.max(until, to - stretch)
  await showProgress(series)
  await makeFlows(series, hours, { from, to, revision: await series.nextRevision() })
  await series.postgres.query('UPDATE flow_progress SET filled_from = $1', [from])
  return to - from
}
