import { ceilTo } from '../contract/ladder.ts'
import { backfill, finishPendingRollups } from '../ingest/backfill.ts'
import { stretches } from '../ingest/contiguous-ranges.ts'
import { type Hour, type Range, split } from '../ingest/rollup.ts'
import { writeSeries } from '../ingest/write-series.ts'
import { type ClickHouse, selectRows } from '../platform/stores/clickhouse.ts'
import { locks, type Postgres, withAdvisoryLock } from '../platform/stores/postgres.ts'
import { observedSince } from '../platform/stores/retention.ts'
import { loadSql, textFor } from '../platform/stores/sql.ts'
import type { Format } from './observation.ts'
import { sizeOf } from './records.ts'
import type { ImportReport } from './report.ts'
import { readInto, withStage } from './stage.ts'

export interface ImportProgress {
  /** Hears the share of the files that was read, 0 … 1. */
  onRead?: (share: number) => void
  /** Hears that `rows` rows aren't in the series yet; moving them and deriving everything anew comes next. */
  onNew?: (rows: number) => void
}

/**
 * Imports files into the series. The rows go to a table of their own first; then those that the series doesn't have are moved over and
 * everything derived from their time is made anew. A killed import leaves nothing wrong, and importing again completes it. One import
 * runs at a time. Throws FileError for files that can't be read as what they should be; then nothing was imported.
 */
export async function importFiles(
  postgres: Postgres,
  clickhouse: ClickHouse,
  files: readonly string[],
  format: Format,
  progress: ImportProgress = {},
): Promise<ImportReport> {
  const onBytes = await shareRead(files, progress)
  return withAdvisoryLock(postgres, locks.import, () =>
    withStage(clickhouse, async (table) => {
      const since = ceilTo(3600, await observedSince(postgres))
      const report: ImportReport = { read: 0, inserted: 0, duplicate: 0, rejected: [], rejected_total: 0 }
      for (const file of files) {
        await readInto(clickhouse, table, { file, format, named: files.length > 1, since }, report, onBytes)
      }
      report.inserted = await moveNew(postgres, clickhouse, { table, format }, progress)
      report.duplicate = report.read - report.rejected_total - report.inserted
      return report
    }),
  )
}

async function shareRead(files: readonly string[], { onRead }: ImportProgress) {
  let size = 0
  for (const file of files) size += await sizeOf(file)
  let read = 0
  return (bytes: number) => {
    read += bytes
    if (size > 0) onRead?.(Math.min(read / size, 1))
  }
}

/** Returns the number of rows that were new. */
async function moveNew(
  postgres: Postgres,
  clickhouse: ClickHouse,
  { table, format }: { table: string; format: Format },
  { onNew }: ImportProgress,
): Promise<number> {
  const { source, overlapping } = format
  // What is moved, and so what is derived anew, is only the time of new rows: a daily file that grows by a day costs a day.
  const hours: Hour[] = []
  for (const part of await stagedParts(clickhouse, table)) {
    const query = loadSql('clickhouse/queries/import/new_hours')
    hours.push(...(await selectRows<Hour>(clickhouse, query, { ...part, table, source, overlapping })))
  }
  onNew?.(hours.reduce((sum, { observations }) => sum + observations, 0))
  if (hours.length === 0) {
    // An import may have died after its rows were in and before everything was derived from them.
    await writeSeries(postgres, clickhouse, () => finishPendingRollups(postgres, clickhouse))
  }
  let moved = 0
  for (const range of stretches(hours)) {
    moved += await backfill(postgres, clickhouse, range, async () => {
      let written = 0
      for (const part of split(hours, 3600, range)) {
        written += await insertNew(clickhouse, { ...part, table, source, overlapping })
      }
      return written
    })
  }
  return moved
}

/** Parts of the staged rows that a statement can hold in memory. */
async function stagedParts(clickhouse: ClickHouse, table: string): Promise<Range[]> {
  const hours = await selectRows<Hour>(clickhouse, loadSql('clickhouse/queries/import/staged_hours'), {
    table,
  })
  const [first, last] = [hours[0], hours.at(-1)]
  return first && last ? split(hours, 3600, { from: first.hour, to: last.hour + 3600 }) : []
}

async function insertNew(
  clickhouse: ClickHouse,
  parameters: Range & { table: string; source: string; overlapping: boolean },
): Promise<number> {
  const { summary } = await clickhouse.command({
    query: textFor(loadSql('clickhouse/queries/import/move_new'), clickhouse.place),
    query_params: { ...parameters },
    // Rows that were imported and then deleted by hand must come in again.
    clickhouse_settings: { wait_end_of_query: 1, insert_deduplicate: 0 },
  })
  return Number(summary?.written_rows ?? 0)
}
