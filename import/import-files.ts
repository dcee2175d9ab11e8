import { z } from 'zod'
import { day, hour } from '../contract/durations.ts'
import { ceilTo } from '../contract/ladder.ts'
import { finishImportWork, importIdText, type Staged } from '../ingest/import-work.ts'
import { finishPendingRollups } from '../ingest/pending-rollups.ts'
import { timeText } from '../ingest/problems.ts'
import { writeSeries } from '../ingest/write-series.ts'
import type { Clock } from '../platform/clock.ts'
import { locks, withAdvisoryLock } from '../platform/stores/postgres.ts'
import { observedSince } from '../platform/stores/retention.ts'
import type { Stores } from '../platform/stores/stores.ts'
import { UsageError } from '../platform/usage-error.ts'
import { importId, importRecords, type KnownImport } from './identity.ts'
import { type Contrary, type Judged, judge, type Taken, takenBy } from './judge.ts'
import type { Format } from './observation.ts'
import { areTooOdd, type LeftOutRow, shownRows } from './odd-rows.ts'
import { FileError } from './record.ts'
import { sizeOf } from './records.ts'
import { type LeftOut, type Reading, readInto, withStage } from './stage.ts'

/** The result of an import: `read` = `inserted` + `duplicate` + `rejected_total`. */
export const importReport = z.object({
  read: z.int().min(0),
  inserted: z.int().min(0),
  /** Rows that the series has already, that repeat another row of the files, or that offer a part of a machine. */
  duplicate: z.int().min(0),
  /** The first rejected rows. `file` is set when several files were imported. */
  rejected: z.array(z.object({ line: z.int(), reason: z.string(), file: z.string().optional() })),
  rejected_total: z.int().min(0),
  /** The ids of the files that brought rows in. */
  imports: z.array(z.string()),
})

export type ImportReport = z.infer<typeof importReport>

export interface ImportOptions {
  format: Format
  /** The import whose rows are removed before these are added. */
  replaces?: KnownImport | undefined
  /** True: a file with a larger share of odd rows is taken, too. */
  accept?: boolean | undefined
  /** Receives the share of the files that was read, 0 … 1. */
  onRead?: (share: number) => void
  /** Receives the number of new rows. Next, these are moved into the series, and derived rows are computed. */
  onNew?: (rows: number) => void
}

/** Files whose rows are staged, with the decision on each row. */
interface Prepared {
  staged: Staged
  reading: Reading
  byFile: Judged[]
  report: ImportReport
}

/**
 * Imports files into the series. The rows go to a table of their own first, and new rows are determined. This is recorded in
 * PostgreSQL, and then the rows are moved and everything derived from their time is computed again. An import that is killed
 * before the record has changed nothing, and any worker finishes one that is killed later. One import runs at a time. Throws
 * FileError for unreadable files, and UsageError for files that contradict the series. Nothing was imported then.
 */
export const importFiles = (
  stores: Stores & { clock: Clock },
  files: readonly string[],
  options: ImportOptions,
): Promise<ImportReport> =>
  withPrepared(stores, files, options, async (prepared, keep) => {
    const { report } = prepared
    options.onNew?.(report.inserted)
    await writeSeries(stores, async (series) => {
      const { source, hasRentals } = options.format
      await series.postgres.query('series/note_rentals', [source, hasRentals])
      if (report.inserted > 0 || options.replaces) {
        await series.postgres.query('imports/begin', notesOf(prepared, options))
        keep()
      }
      const gone = await finishImportWork(series)
      // Another import drops the table when this process has lost its lock and does not know it yet.
      if (gone.includes(prepared.staged.table))
        throw new Error('The lock was lost, and another import has begun. Import the files again.')
      // An earlier import may have been killed after its rows were in and before everything was derived from them.
      await finishPendingRollups(series)
    })
    return report
  })

/** The rows that an import would take. Changes nothing. */
export const tryFiles = (
  stores: Stores & { clock: Clock },
  files: readonly string[],
  options: ImportOptions,
): Promise<{ report: ImportReport; taken: Taken }> =>
  withPrepared(stores, files, options, async ({ staged, report }) => ({
    report,
    taken: await takenBy(stores.clickhouse, staged),
  }))

async function withPrepared<T>(
  stores: Stores & { clock: Clock },
  files: readonly string[],
  options: ImportOptions,
  work: (prepared: Prepared, keep: () => void) => Promise<T>,
): Promise<T> {
  const { postgres, clickhouse, clock } = stores
  const { format, replaces } = options
  const onBytes = await shareRead(files, options)
  return withAdvisoryLock(postgres, locks.import, () =>
    withStage(stores, async (table, keep) => {
      const since = ceilTo(hour, await observedSince(postgres))
      const until = clock.now() + day
      const reading: Reading = { clickhouse, table, format, since, until, files: [], leftOut: [] }
      for (const file of files) await readInto(reading, file, onBytes)
      const { source, overlapping } = format
      const removed = replaces?.source === source ? [replaces.id] : []
      const staged = { table, source, overlapping, removed }
      const { byFile, contrary } = await judge(clickhouse, staged, {
        files: files.length,
        leftOut: reading.leftOut,
      })
      const report = reportOf(reading, byFile)
      refuseOdd(reading, byFile, options)
      await refuseContrary(stores, reading, contrary)
      return work({ staged, reading, byFile, report }, keep)
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

function reportOf({ files, format, leftOut }: Reading, byFile: readonly Judged[]): ImportReport {
  const total = (count: (index: number) => number) => files.reduce((sum, _, index) => sum + count(index), 0)
  const read = total((index) => files[index]?.read ?? 0)
  const inserted = total((index) => byFile[index]?.inserted ?? 0)
  const rejected_total = total((index) => (files[index]?.rejected ?? 0) + (byFile[index]?.odd ?? 0))
  const isNew = (_: unknown, index: number) => (byFile[index]?.inserted ?? 0) > 0
  const idOf = (contentHash: string) => importIdText(importId(contentHash, format.readWith), format.source)
  const rejected = leftOut.map(({ file, line, reason }) => ({
    line,
    reason,
    ...(files.length > 1 && { file: files[file]?.name }),
  }))
  return {
    read,
    inserted,
    duplicate: read - rejected_total - inserted,
    rejected,
    rejected_total,
    imports: [...new Set(files.filter(isNew).map(({ contentHash }) => idOf(contentHash)))],
  }
}

function refuseOdd(
  { files, leftOut }: Reading,
  byFile: readonly Judged[],
  { accept = false }: ImportOptions,
) {
  for (const [index, { name, read, rejected, notOffered }] of files.entries()) {
    const odd = rejected - notOffered + (byFile[index]?.odd ?? 0)
    if (accept || !areTooOdd(odd, read - notOffered)) continue
    const first = firstRows(leftOut, index).map(({ line, reason }) => `  line ${line}: ${reason}`)
    throw new FileError(
      [
        `${name}: ${odd} of ${read - notOffered} rows cannot be used, which is more than a tenth. Nothing was imported.`,
        ...first,
        'If the other rows are right, import them with --accept.',
      ].join('\n'),
    )
  }
}

/** The first rows of a file that are left out, in their order. */
const firstRows = (leftOut: readonly LeftOut[], index: number): LeftOutRow[] =>
  leftOut
    .filter(({ file }) => file === index)
    .sort((a, b) => a.line - b.line)
    .slice(0, shownRows)
    .map(({ line, reason }) => ({ line, reason }))

async function refuseContrary(stores: Stores, { files, format }: Reading, contrary: readonly Contrary[]) {
  const [most] = contrary
  if (!most) return
  const record = (await importRecords(stores)).find(({ id }) => id === most.import_id)
  const { source } = format
  const id = importIdText(most.import_id, source)
  const name = files[most.file]?.name ?? ''
  const others = contrary.length > 1 ? ` and ${contrary.length - 1} more` : ''
  const what = record
    ? `import ${id} (${record.file}, of ${timeText(record.imported_at)})${others}`
    : `import ${id}${others}`
  const rows = contrary.reduce((sum, { observations }) => sum + observations, 0)
  throw new UsageError(
    [
      `${name}, line ${most.line}: this machine would have more GPUs than it has, or another name, owner or size than in ${what}.`,
      `${rows} rows contradict the series, so nothing was imported. If the file corrects that import, run:`,
      `  rackrate import --replace ${id} ${name}`,
      'If it is about other machines, import it under another --source.',
    ].join('\n'),
  )
}

/** The values of sql/postgres/queries/imports.sql (begin). */
function notesOf({ staged, reading, byFile }: Prepared, { replaces }: ImportOptions) {
  const { readWith } = reading.format
  const { source, table, overlapping } = staged
  const ids = reading.files.map(({ contentHash }) => importId(contentHash, readWith))
  const notes = reading.files.flatMap((file, index) => {
    const { inserted = 0, odd = 0 } = byFile[index] ?? {}
    const { name, contentHash, read, rejected } = file
    const isRepeated = ids.indexOf(ids[index] ?? 0) < index
    if (isRepeated || (inserted === 0 && !replaces)) return []
    return {
      id: ids[index],
      file: name,
      content_hash: contentHash,
      format: readWith,
      read,
      left_out: rejected + odd,
      left_out_rows: firstRows(reading.leftOut, index),
    }
  })
  const removed = replaces?.id ?? null
  return [source, table, overlapping, ids, JSON.stringify(notes), removed, replaces?.source ?? null]
}
