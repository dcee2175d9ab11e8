import { createHash, randomBytes } from 'node:crypto'
import { dropStage, workOf } from '../ingest/import-work.ts'
import { type ClickHouse, execute, insertLines, selectRows } from '../platform/stores/clickhouse.ts'
import type { Stores } from '../platform/stores/stores.ts'
import { type Format, NotOffered, type Observation, Rejected } from './observation.ts'
import type { LeftOutRow } from './odd-rows.ts'
import type { FileRecord } from './record.ts'
import { readRecords } from './records.ts'

/** A row of a file of an import that is left out. */
export interface LeftOut extends LeftOutRow {
  file: number
}

/** Further rows that are left out are only counted, so that the report stays below a few megabytes. */
export const mostListed = 10_000

/** A file whose rows are in the table of an import. */
export interface StagedFile {
  name: string
  contentHash: string
  read: number
  rejected: number
  /** Rejected rows that are no offers by the rules of the format. They say nothing about the file. */
  notOffered: number
}

/** The files of an import, as far as they are read. */
export interface Reading {
  clickhouse: ClickHouse
  table: string
  format: Format
  /** Rows before this time are rejected: other observations of their hour are no longer kept, so it cannot be computed again. */
  since: number
  /** Rows after this time are rejected: their clock is wrong, or their unit. */
  until: number
  files: StagedFile[]
  leftOut: LeftOut[]
}

/**
 * Runs `work` with a table of its own for the rows of an import, which is dropped in the end unless `work` returns that its rows are still to be moved.
 * The tables of killed imports, and of one that lost its lock, are dropped first. `SYNC` waits for their statements that still run on the server.
 */
export async function withStage<T>(
  { postgres, clickhouse }: Stores,
  work: (table: string, keep: () => void) => Promise<T>,
): Promise<T> {
  const kept = (await workOf(postgres)).flatMap(({ stage }) => stage ?? [])
  const leftovers = 'import/leftovers'
  for (const { name } of await selectRows<{ name: string }>(clickhouse, leftovers, { kept }))
    await dropStage(clickhouse, name)

  const table = `import_stage_${randomBytes(6).toString('hex')}`
  let isKept = false
  await execute(clickhouse, 'import/stage', { table })
  try {
    return await work(table, () => {
      isKept = true
    })
  } finally {
    if (!isKept) await dropStage(clickhouse, table)
  }
}

// One insert of this size, some 4 MB, is under way while the rows of the next one are read.
const rowsPerInsert = 50_000

/** Puts the rows of a file into the import's table, in their order. The others are listed. Throws FileError. */
export async function readInto(
  reading: Reading,
  name: string,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const { clickhouse, table, format, files } = reading
  const hash = createHash('sha256')
  const file = { name, contentHash: '', read: 0, rejected: 0, notOffered: 0 }
  files.push(file)
  let lines: string[] = []
  let underWay: Promise<void> = Promise.resolve()
  const flush = async () => {
    const body = lines.join('\n')
    lines = []
    await underWay
    if (body === '') return
    const query = 'INSERT INTO {table:Identifier} FORMAT JSONCompactEachRow'
    underWay = insertLines(clickhouse, query, { lines: body, parameters: { table } })
    // The next flush awaits it. Until then a failure must not end the process as an unhandled rejection.
    underWay.catch(() => {})
  }
  const onChunk = (chunk: Buffer) => {
    hash.update(chunk)
    onBytes(chunk.length)
  }
  let place = files.reduce((sum, { read }) => sum + read, 0)
  for await (const batch of readRecords(name, format.columns, onChunk)) {
    for (const record of batch) {
      file.read += 1
      place += 1
      const observation = observe(record, reading)
      if (observation instanceof Rejected) reject(reading, file, record.line, observation)
      else lines.push(lineOf(place, { file: files.length - 1, line: record.line }, observation))
    }
    if (lines.length >= rowsPerInsert) await flush()
  }
  await flush()
  await underWay
  file.contentHash = hash.digest('hex')
}

/** The observation of a record, or why there is none. */
function observe({ fields, problem }: FileRecord, { format, since, until }: Reading): Observation | Rejected {
  if (!fields) return new Rejected(problem ?? 'unreadable')
  try {
    const observation = format.observe(fields)
    if (observation.gpus > observation.num_gpus) return new Rejected('more gpus than num_gpus')
    if ((observation.min_gpus ?? 1) > observation.num_gpus) return new Rejected('more min_gpus than num_gpus')
    if (observation.slot > until) return new Rejected(`the time is in the future: ${observation.slot}`)
    if (observation.slot < since)
      return new Rejected('older than observations are kept (OBSERVATION_RETENTION)')
    return observation
  } catch (error) {
    if (error instanceof Rejected) return error
    throw error
  }
}

function reject({ files, leftOut }: Reading, file: StagedFile, line: number, error: Rejected): void {
  file.rejected += 1
  if (error instanceof NotOffered) file.notOffered += 1
  if (leftOut.length < mostListed) leftOut.push({ file: files.length - 1, line, reason: error.message })
}

// The columns are in the order of sql/clickhouse/queries/import.sql.
const lineOf = (place: number, { file, line }: { file: number; line: number }, o: Observation): string =>
  `[${place},${file},${line},${o.slot},${o.machine_id},${JSON.stringify(o.gpu_name)},${o.num_gpus},${o.gpus},${o.rented},${o.verified},"${o.hosting_type}",${o.price},${o.tflops},${o.dlperf},${o.host_id},"${o.country}",${o.gpu_ram},"${o.rental_type}",${o.min_gpus},"${o.terms}",${JSON.stringify(o.specs)},"${o.tier}"]`
