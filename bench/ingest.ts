import { capture, currentSlot } from '../ingest/capture.ts'
import { loadAll } from '../ingest/load.ts'
import type { ClickHouse } from '../src/platform/clickhouse.ts'
import type { Postgres } from '../src/platform/postgres.ts'

/** What one slot of the whole market costs, from the marketplace to answers that show it. */
export async function measureIngest(postgres: Postgres, clickhouse: ClickHouse): Promise<void> {
  const slot = await currentSlot(postgres, 60)
  const before = performance.now()
  const snapshot = await capture(postgres, slot)
  const captured = performance.now()
  await loadAll(postgres, clickhouse)
  const loaded = performance.now()
  const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`
  console.log(
    `one slot of ${snapshot?.observations.toLocaleString('en')} observations   captured in ${seconds(captured - before)}, ` +
      `loaded and rolled up in ${seconds(loaded - captured)}; peak memory of this process ${Math.round(process.resourceUsage().maxRSS / 1024)} MB\n`,
  )
}
