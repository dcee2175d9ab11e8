import { capture, currentSlot } from '../ingest/capture.ts'
import { loadAll } from '../ingest/load.ts'
import type { ClickHouse } from '../platform/stores/clickhouse.ts'
import type { Postgres } from '../platform/stores/postgres.ts'

/** Measures one slot of the whole market, from the marketplace to answers that show it. */
export async function measureIngest(postgres: Postgres, clickhouse: ClickHouse): Promise<void> {
  const slot = await currentSlot(postgres, 60)
  const rss = process.memoryUsage.rss()
  let peak = rss
  const watching = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 10)
  const before = performance.now()
  const snapshot = await capture(postgres, slot)
  const captured = performance.now()
  await loadAll({ postgres, clickhouse })
  const loaded = performance.now()
  clearInterval(watching)
  const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`
  console.log(
    `one slot of ${snapshot?.observations.toLocaleString('en')} observations   captured in ${seconds(captured - before)}, ` +
      `loaded and rolled up in ${seconds(loaded - captured)}; memory grew by ${Math.round((peak - rss) / 1024 ** 2)} MB\n`,
  )
}
