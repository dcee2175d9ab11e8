import { randomBytes } from 'node:crypto'
import { type ClickHouse, execute, insertLines, selectRows } from '../../src/platform/clickhouse.ts'
import { locks, type Postgres, withAdvisoryLock } from '../../src/platform/postgres.ts'
import { loadSql } from '../../src/platform/sql.ts'
import { backfill } from '../backfill.ts'
import { split } from '../rollup.ts'
import type { Format } from './formats.ts'
import { checkObservation, type Observation, Rejected } from './observation.ts'
import { readRecords } from './records.ts'

/** read = inserted + duplicate + rejected_total. At most maxListed rejected rows are listed. */
export interface ImportReport {
  read: number
  inserted: number
  duplicate: number
  rejected: { line: number; reason: string }[]
  rejected_total: number
}

const maxListed = 10_000
const rowsPerInsert = 50_000

/**
 * Imports files into the series. The rows go to a table of their own first; then those that the series doesn't have are moved over and
 * everything derived is made anew. A killed import leaves nothing wrong, and importing again completes it. One import runs at a time.
 * Throws FileError for files that can't be read as what they should be; then nothing was imported.
 */
export async function importFiles(
  postgres: Postgres,
  clickhouse: ClickHouse,
  files: readonly string[],
  format: Format,
  onRead: (rows: number) => void = () => {},
): Promise<ImportReport> {
  return withAdvisoryLock(postgres, locks.import, async () => {
    await dropLeftovers(clickhouse)
    const table = `import_stage_${randomBytes(6).toString('hex')}`
    await execute(clickhouse, loadSql('clickhouse/queries/import_stage'), { table })
    try {
      const report: ImportReport = { read: 0, inserted: 0, duplicate: 0, rejected: [], rejected_total: 0 }
      for (const file of files) await stage(clickhouse, table, file, format, report, onRead)
      report.inserted = await moveNew(postgres, clickhouse, table, format.source)
      report.duplicate = report.read - report.rejected_total - report.inserted
      return report
    } finally {
      await execute(clickhouse, 'DROP TABLE IF EXISTS {table:Identifier}', { table })
    }
  })
}

async function stage(
  clickhouse: ClickHouse,
  table: string,
  file: string,
  format: Format,
  report: ImportReport,
  onRead: (rows: number) => void,
): Promise<void> {
  const now = Date.now() / 1000
  let lines: string[] = []
  const flush = async () => {
    if (lines.length === 0) return
    await insertLines(
      clickhouse,
      'INSERT INTO {table:Identifier} FORMAT JSONCompactEachRow',
      { table },
      lines.join('\n'),
    )
    lines = []
    onRead(report.read)
  }
  for await (const { line, fields, problem } of readRecords(file, format.columns)) {
    report.read += 1
    try {
      if (!fields) throw new Rejected(problem)
      const observation = format.observe(fields)
      checkObservation(observation, now)
      lines.push(lineOf(line, observation))
    } catch (error) {
      if (!(error instanceof Rejected)) throw error
      report.rejected_total += 1
      if (report.rejected.length < maxListed) report.rejected.push({ line, reason: error.message })
    }
    if (lines.length >= rowsPerInsert) await flush()
  }
  await flush()
}

// The columns of import_stage.sql.
const lineOf = (line: number, o: Observation): string =>
  `[${line},${o.slot},${o.machine_id},${JSON.stringify(o.gpu_name)},${o.num_gpus},${o.gpus},${o.rented},${o.verified},"${o.hosting_type}",${o.price},${o.tflops},${o.dlperf}]`

/** Returns the number of rows that were new. */
async function moveNew(
  postgres: Postgres,
  clickhouse: ClickHouse,
  table: string,
  source: string,
): Promise<number> {
  const query = loadSql('clickhouse/queries/import_per_hour')
  const hours = await selectRows<{ hour: number; observations: number }>(clickhouse, query, { table })
  const [first, last] = [hours[0], hours.at(-1)]
  if (!first || !last) return 0
  const range = { from: first.hour, to: last.hour + 3600 }
  return backfill(postgres, clickhouse, range, async () => {
    let moved = 0
    for (const part of split(hours, 3600, range)) {
      const { summary } = await clickhouse.command({
        query: loadSql('clickhouse/queries/import_new'),
        query_params: { ...part, table, source },
        clickhouse_settings: { wait_end_of_query: 1 },
      })
      moved += Number(summary?.written_rows ?? 0)
    }
    return moved
  })
}

async function dropLeftovers(clickhouse: ClickHouse): Promise<void> {
  for (const { name } of await selectRows<{ name: string }>(
    clickhouse,
    loadSql('clickhouse/queries/import_leftovers'),
  )) {
    await execute(clickhouse, 'DROP TABLE IF EXISTS {name:Identifier}', { name })
  }
}
