import { hour } from '../contract/durations.ts'
import { type ClickHouse, execute, selectRows } from '../platform/stores/clickhouse.ts'
import type { Session } from '../platform/stores/postgres.ts'
import { loadSql, textFor } from '../platform/stores/sql-files.ts'
import { showProgress } from './enter-slots.ts'
import { notePending } from './note-pending.ts'
import { type Hour, type Range, split, stretches } from './ranges.ts'
import type { Series } from './write-series.ts'

/** The rows of an import that wait in a table of their own. */
export interface Staged {
  table: string
  /** The name that the observations have. */
  source: string
  overlapping: boolean
  /** Imports whose rows are ignored, since they are removed. */
  removed: readonly number[]
}

/** A change of the rows of imports that is left to do (table `import_work`). */
interface Work {
  id: number
  source: string
  stage: string | null
  overlapping: boolean
  imports: number[]
  removed: number | null
  removed_source: string | null
}

/** Ranges of the staged rows that a statement can hold in memory. */
export async function stagedParts(clickhouse: ClickHouse, table: string): Promise<Range[]> {
  const query = 'import/staged_hours'
  const hours = await selectRows<Hour>(clickhouse, query, { table })
  const [first, last] = [hours[0], hours.at(-1)]
  return first && last ? split(hours, hour, { from: first.hour, to: last.hour + hour }) : []
}

export const dropStage = (clickhouse: ClickHouse, table: string): Promise<void> =>
  execute(clickhouse, 'DROP TABLE IF EXISTS {table:Identifier} SYNC', { table })

export const workOf = async (postgres: Session): Promise<Work[]> =>
  (await postgres.query<Work>('imports/work')).rows

/**
 * Moves and removes the rows of imports as recorded, also for dead processes. Each step is safe to run again. Ranges of changed rows are recorded
 * before the change, and finishPendingRollups derives from them. Returns the tables that were gone: their rows are not in the series.
 */
export async function finishImportWork(series: Series): Promise<string[]> {
  const gone: string[] = []
  const works = await workOf(series.postgres)
  // From here on, statements of earlier holders have an older revision, and change nothing.
  if (works.length > 0) await showProgress(series)
  for (const work of works) {
    const { id, source, stage, removed, removed_source } = work
    const isGone = stage !== null && !(await isThere(series.clickhouse, stage))
    if (isGone) gone.push(stage)
    // Rows that nothing can replace stay.
    const leaving = isGone ? null : removed
    if (leaving !== null) await removeRows(series, { source: removed_source ?? source, import: leaving })
    if (stage !== null && !isGone) await moveRows(series, work, stage)
    const counted = await importedRows(series.clickhouse, work)
    await series.postgres.query('imports/finish', [id, JSON.stringify(counted), leaving])
    if (stage !== null) await dropStage(series.clickhouse, stage)
  }
  return gone
}

/** A restored ClickHouse lacks the table. Rows that were moved before stay, and the same file again adds the others. */
const isThere = async (clickhouse: ClickHouse, table: string): Promise<boolean> => {
  const query = 'SELECT 1 FROM system.tables WHERE database = currentDatabase() AND name = {table:String}'
  return (await selectRows(clickhouse, query, { table })).length > 0
}

async function removeRows(series: Series, rows: { source: string; import: number }): Promise<void> {
  const { clickhouse, postgres } = series
  const hours = await selectRows<Hour>(clickhouse, 'import/hours_of', rows)
  if (hours.length === 0) return
  for (const range of stretches(hours)) {
    await notePending(postgres, { ...range, rebuild: true })
    for (const part of split(hours, hour, range)) {
      const machines = { ...part, ...rows }
      const uncounted = 'import/uncounted'
      if ((await selectRows(clickhouse, uncounted, machines)).length > 0)
        await execute(clickhouse, 'import/count_machines', machines)
    }
  }
  const revision = await series.nextRevision()
  await execute(clickhouse, 'import/remove', { ...rows, revision })
}

async function moveRows(series: Series, work: Work, table: string): Promise<void> {
  const { clickhouse, postgres } = series
  const staged: Staged = { table, source: work.source, overlapping: work.overlapping, removed: [] }
  // Only the time of new rows is derived again: a file that grows by a day every day costs a day.
  const hours: Hour[] = []
  for (const part of await stagedParts(clickhouse, table)) {
    const found = await selectRows<Hour>(clickhouse, 'import/judged_hours', { ...part, ...staged })
    hours.push(...found.filter(({ observations }) => observations > 0))
  }
  for (const range of stretches(hours)) {
    await notePending(postgres, range)
    for (const part of split(hours, hour, range)) {
      const revision = await series.nextRevision()
      await clickhouse.command({
        query: textFor(loadSql('clickhouse/queries/import/move_new'), clickhouse.place),
        query_params: { ...part, ...staged, revision, imports: work.imports },
        // Rows that were imported and then deleted by hand must come in again.
        clickhouse_settings: { wait_end_of_query: 1, insert_deduplicate: 0 },
      })
    }
  }
}

async function importedRows(clickhouse: ClickHouse, { source, imports }: Work) {
  if (imports.length === 0) return []
  const found = await rowsOfImports(clickhouse, { source, imports })
  return imports.map((id) => {
    const {
      observations = 0,
      from_slot = null,
      to_slot = null,
    } = found.find(({ import_id }) => import_id === id) ?? {}
    return { id, rows: observations, from_slot, to_slot }
  })
}

/** The rows of an import in the series. */
export interface ImportedRows {
  source: string
  import_id: number
  observations: number
  from_slot: number
  to_slot: number
}

export const rowsOfImports = (
  clickhouse: ClickHouse,
  { source = '', imports = [] }: { source?: string; imports?: readonly number[] },
): Promise<ImportedRows[]> => selectRows(clickhouse, 'import/imports', { source, imports })

/** The prefix of ids for imported rows of earlier releases: they have no import, so the name of their source follows. */
export const earlierRows = 'earlier:'

/** The id of an import as people write it. */
export const importIdText = (id: number, source: string): string =>
  id === 0 ? `${earlierRows}${source}` : id.toString(16).padStart(12, '0')
