import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { ceilTo } from '../contract/ladder.ts'
import { backfill, finishPendingRollups } from '../ingest/pending-rollups.ts'
import { type Hour, type Range, split, stretches } from '../ingest/ranges.ts'
import { writeSeries } from '../ingest/write-series.ts'
import type { Clock } from '../platform/clock.ts'
import { type ClickHouse, execute, insertLines, selectRows } from '../platform/stores/clickhouse.ts'
import { locks, withAdvisoryLock } from '../platform/stores/postgres.ts'
import { observedSince } from '../platform/stores/retention.ts'
import { loadSql, textFor } from '../platform/stores/sql-files.ts'
import type { Stores } from '../platform/stores/stores.ts'
import { type Format, type Observation, Rejected } from './observation.ts'
import type { FileRecord } from './record.ts'
import { readRecords, sizeOf } from './records.ts'

/** The result of an import: `read` = `inserted` + `duplicate` + `rejected_total`. */
export const importReport = z.object({
  read: z.int().min(0),
  inserted: z.int().min(0),
  /** Rows that the series has already, or that repeat another row of the files. */
  duplicate: z.int().min(0),
  /** The first rejected rows. `file` is set when several files were imported. */
  rejected: z.array(z.object({ line: z.int(), reason: z.string(), file: z.string().optional() })),
  rejected_total: z.int().min(0),
})

export type ImportReport = z.infer<typeof importReport>

/** Further rejected rows are only counted, so that the report stays below a few megabytes. */
const mostListed = 10_000

export interface ImportOptions {
  format: Format
  /** Receives the share of the files that was read, 0 … 1. */
  onRead?: (share: number) => void
  /** Receives the number of new rows. Next, these are moved into the series, and derived rows are computed. */
  onNew?: (rows: number) => void
}

/** A running import. Its files are read into a table of its own. */
interface Import extends ImportOptions {
  clickhouse: ClickHouse
  table: string
  report: ImportReport
  /** Rows before this time are rejected: other observations of their hour are dropped, so the hour cannot be computed again. */
  since: number
  /** Rows after this time are rejected: their clock or their unit is wrong. */
  until: number
}

/**
 * Imports files into the series. The rows go to a table of their own first. Then new rows are moved into the series, and
 * everything derived from their time is computed again. A killed import leaves nothing wrong, and importing again completes it.
 * One import runs at a time. Throws FileError for unreadable files. Nothing was imported then.
 */
export async function importFiles(
  stores: Stores & { clock: Clock },
  files: readonly string[],
  options: ImportOptions,
): Promise<ImportReport> {
  const { postgres, clickhouse, clock } = stores
  const onBytes = await shareRead(files, options)
  return withAdvisoryLock(postgres, locks.import, () =>
    withStage(clickhouse, async (table) => {
      const since = ceilTo(3600, await observedSince(postgres))
      const until = clock.now() + 86_400
      const report: ImportReport = { read: 0, inserted: 0, duplicate: 0, rejected: [], rejected_total: 0 }
      const work = { ...options, clickhouse, table, report, since, until }
      for (const file of files) await readInto(work, file, { named: files.length > 1, onBytes })
      report.inserted = await moveNew(stores, work)
      report.duplicate = report.read - report.rejected_total - report.inserted
      return report
    }),
  )
}

async function shareRead(files: readonly string[], { onRead }: ImportOptions) {
  let size = 0
  for (const file of files) size += await sizeOf(file)
  let read = 0
  return (bytes: number) => {
    read += bytes
    if (size > 0) onRead?.(Math.min(read / size, 1))
  }
}

/**
 * Runs `work` with a table of its own for the rows of an import, and drops it at the end. Tables of killed imports, and of one
 * that lost its lock, are dropped first. `SYNC` waits for their running statements: these must not write while this import
 * compares its rows with the series, and later ones fail.
 */
async function withStage<T>(clickhouse: ClickHouse, work: (table: string) => Promise<T>): Promise<T> {
  const drop = (table: string) =>
    execute(clickhouse, 'DROP TABLE IF EXISTS {table:Identifier} SYNC', { table })
  const leftovers = 'import/leftovers'
  for (const { name } of await selectRows<{ name: string }>(clickhouse, leftovers)) await drop(name)

  const table = `import_stage_${randomBytes(6).toString('hex')}`
  await execute(clickhouse, 'import/stage', { table })
  try {
    return await work(table)
  } finally {
    await drop(table)
  }
}

// One insert of this size, some 4 MB, runs while the rows of the next one are read.
const rowsPerInsert = 50_000

/**
 * Inserts the rows of a file into the import's table, in their order. Rejected rows are counted in the report. Throws FileError.
 */
async function readInto(
  work: Import,
  file: string,
  { named, onBytes }: { named: boolean; onBytes: (bytes: number) => void },
): Promise<void> {
  const { clickhouse, table, format, report } = work
  let lines: string[] = []
  let underWay: Promise<void> = Promise.resolve()
  const flush = async () => {
    const body = lines.join('\n')
    lines = []
    await underWay
    if (body === '') return
    const query = 'INSERT INTO {table:Identifier} FORMAT JSONCompactEachRow'
    underWay = insertLines(clickhouse, query, { lines: body, parameters: { table } })
    // The next flush awaits this insert. Until then a failure must not end the process as an unhandled rejection.
    underWay.catch(() => {})
  }
  for await (const batch of readRecords(file, format.columns, onBytes)) {
    for (const record of batch) {
      report.read += 1
      const observation = observe(record, work)
      if (typeof observation === 'string') reject(report, record.line, observation, named ? file : undefined)
      else lines.push(lineOf(report.read, observation))
    }
    if (lines.length >= rowsPerInsert) await flush()
  }
  await flush()
  await underWay
}

/** The observation of a record, or the reason why there is none. */
function observe({ fields, problem }: FileRecord, { format, since, until }: Import): Observation | string {
  if (!fields) return problem ?? 'unreadable'
  try {
    const observation = format.observe(fields)
    if (observation.gpus > observation.num_gpus) return 'more gpus than num_gpus'
    if ((observation.min_gpus ?? 1) > observation.num_gpus) return 'more min_gpus than num_gpus'
    if (observation.slot > until) return `the time is in the future: ${observation.slot}`
    return observation.slot < since ? 'older than observations are kept (OBSERVATION_RETENTION)' : observation
  } catch (error) {
    if (error instanceof Rejected) return error.message
    throw error
  }
}

function reject(report: ImportReport, line: number, reason: string, file: string | undefined): void {
  report.rejected_total += 1
  if (report.rejected.length < mostListed) report.rejected.push({ line, reason, ...(file && { file }) })
}

// A line with the columns of sql/clickhouse/queries/import.sql, in their order.
const lineOf = (place: number, o: Observation): string =>
  `[${place},${o.slot},${o.machine_id},${JSON.stringify(o.gpu_name)},${o.num_gpus},${o.gpus},${o.rented},${o.verified},"${o.hosting_type}",${o.price},${o.tflops},${o.dlperf},${o.host_id},"${o.country}",${o.gpu_ram},"${o.rental_type}",${o.min_gpus},"${o.terms}"]`

/** Moves the new rows into the series, and derives everything from them. Returns their number. */
async function moveNew(stores: Stores, { clickhouse, table, format, onNew }: Import): Promise<number> {
  const { source, overlapping } = format
  const rows = { table, source, overlapping }
  // Only the hours of new rows are derived again. So a file that grows by a day every day costs a day.
  const hours: Hour[] = []
  for (const part of await stagedParts(clickhouse, table)) {
    const query = aboutNewRows('new_hours')
    hours.push(...(await selectRows<Hour>(clickhouse, query, { ...part, ...rows })))
  }
  onNew?.(hours.reduce((sum, { observations }) => sum + observations, 0))
  // An earlier import may have been killed after it inserted its rows and before all derived rows were computed.
  if (hours.length === 0) await writeSeries(stores, finishPendingRollups)
  let moved = 0
  for (const range of stretches(hours)) {
    moved += await backfill(stores, range, async (series) => {
      let written = 0
      for (const part of split(hours, 3600, range))
        written += await insertNew(series.clickhouse, { ...part, ...rows })
      return written
    })
  }
  return moved
}

/** A statement about the new rows of a range. The part `new_rows` defines which these are. */
const aboutNewRows = (name: 'new_hours' | 'move_new') =>
  loadSql(`clickhouse/queries/import/${name}`).replace('$new_rows', () =>
    loadSql('clickhouse/queries/import/new_rows'),
  )

/** Ranges of the staged rows that fit into a statement's memory. */
async function stagedParts(clickhouse: ClickHouse, table: string): Promise<Range[]> {
  const query = 'import/staged_hours'
  const hours = await selectRows<Hour>(clickhouse, query, { table })
  const [first, last] = [hours[0], hours.at(-1)]
  return first && last ? split(hours, 3600, { from: first.hour, to: last.hour + 3600 }) : []
}

async function insertNew(
  clickhouse: ClickHouse,
  parameters: Range & { table: string; source: string; overlapping: boolean },
): Promise<number> {
  const { summary } = await clickhouse.command({
    query: textFor(aboutNewRows('move_new'), clickhouse.place),
    query_params: { ...parameters },
    // Rows that were imported and then deleted by hand must be accepted again.
    clickhouse_settings: { wait_end_of_query: 1, insert_deduplicate: 0 },
  })
  return Number(summary?.written_rows ?? 0)
}
