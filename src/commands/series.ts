import { rebuildSeries } from '../../ingest/backfill.ts'
import { capture, currentSlot } from '../../ingest/capture.ts'
import { type CheckResult, check, seriesRange } from '../../ingest/check.ts'
import { loadAll } from '../../ingest/load.ts'
import type { Range } from '../../ingest/rollup.ts'
import type { Stores } from '../stores.ts'

/** Takes and loads the present slot; `taken` is false when it had been taken before. */
export async function takeSnapshot({ postgres, clickhouse }: Stores, interval: number) {
  const slot = await currentSlot(postgres, interval)
  const snapshot = await capture(postgres, slot)
  await loadAll(postgres, clickhouse)
  return { slot, taken: snapshot !== undefined, observations: snapshot?.observations ?? 0 }
}

export async function rebuildCube({ postgres, clickhouse }: Stores, given: Partial<Range>): Promise<Range> {
  const range = { ...(await seriesRange(clickhouse)), ...only(given) }
  if (range.to > range.from) await rebuildSeries(postgres, clickhouse, range)
  return range
}

export async function checkSeries(
  { postgres, clickhouse }: Stores,
  given: Partial<Range>,
): Promise<CheckResult> {
  return check(postgres, clickhouse, { ...(await seriesRange(clickhouse)), ...only(given) })
}

const only = ({ from, to }: Partial<Range>): Partial<Range> => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
})
