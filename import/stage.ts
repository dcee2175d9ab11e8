import { randomBytes } from 'node:crypto'
import { type ClickHouse, execute, insertLines, selectRows } from '../platform/stores/clickhouse.ts'
import { loadSql } from '../platform/stores/sql.ts'
import { type Format, type Observation, Rejected } from './observation.ts'
import type { FileRecord } from './record.ts'
import { readRecords } from './records.ts'
import { type ImportReport, mostListed } from './report.ts'

/**
 * Runs `work` with a table of its own for the rows of an import, dropped in the end. Tables that killed imports left go first, and
 * `SYNC` waits for those of their statements that still run on the server: they must not write while this import looks what is there.
 */
export async function withStage<T>(clickhouse: ClickHouse, work: (table: string) => Promise<T>): Promise<T> {
  const drop = (table: string) =>
    execute(clickhouse, 'DROP TABLE IF EXISTS {table:Identifier} SYNC', { table })
  const leftovers = loadSql('clickhouse/queries/import/leftovers')
  for (const { name } of await selectRows<{ name: string }>(clickhouse, leftovers)) await drop(name)

  const table = `import_stage_${randomBytes(6).toString('hex')}`
  await execute(clickhouse, loadSql('clickhouse/queries/import/stage'), { table })
  try {
    return await work(table)
  } finally {
    await drop(table)
  }
}

// One insert of this size, some 4 MB, is under way while the next is being read: ClickHouse parses meanwhile.
const rowsPerInsert = 50_000

/** Brings the rows of a file into `table`, in their order, and counts the others in `report`. Throws FileError. */
export async function readInto(
  clickhouse: ClickHouse,
  table: string,
  { file, format, named, since }: { file: string; format: Format; named: boolean; since: number },
  report: ImportReport,
  onBytes: (bytes: number) => void,
): Promise<void> {
  let lines: string[] = []
  let underWay: Promise<void> = Promise.resolve()
  const flush = async () => {
    const body = lines.join('\n')
    lines = []
    await underWay
    if (body === '') return
    const query = 'INSERT INTO {table:Identifier} FORMAT JSONCompactEachRow'
    underWay = insertLines(clickhouse, query, { table }, body)
    // It is awaited by the next flush; until then a failure must not end the process as an unhandled one.
    underWay.catch(() => {})
  }
  for await (const batch of readRecords(file, format.columns, onBytes)) {
    for (const record of batch) {
      report.read += 1
      const observation = observed(record, format, since)
      if (typeof observation === 'string') reject(report, record.line, observation, named ? file : undefined)
      else lines.push(lineOf(report.read, observation))
    }
    if (lines.length >= rowsPerInsert) await flush()
  }
  await flush()
  await underWay
}

/** The observation, or why there is none. */
function observed({ fields, problem }: FileRecord, format: Format, since: number): Observation | string {
  if (!fields) return problem ?? 'unreadable'
  try {
    const observation = format.observe(fields)
    if (observation.gpus > observation.num_gpus) return 'more gpus than num_gpus'
    // What is known of its hour can't be computed again with it.
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

// The columns of import_stage.sql.
const lineOf = (place: number, o: Observation): string =>
  `[${place},${o.slot},${o.machine_id},${JSON.stringify(o.gpu_name)},${o.num_gpus},${o.gpus},${o.rented},${o.verified},"${o.hosting_type}",${o.price},${o.tflops},${o.dlperf}]`
