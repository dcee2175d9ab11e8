import { ceilTo } from '../../../../contract/ladder.ts'
import type { PostgresState } from './postgres-model.ts'
import {
  entries,
  expectedCube,
  histogramRows,
  keyOfEntry,
  keyOfRow,
  newestRevision,
  type Row,
  type SeriesState,
} from './series-model.ts'

interface Stores {
  postgres: PostgresState
  series: SeriesState
  since: number
}

const contentOf = (rows: readonly Row[]): string =>
  rows
    .map((row) => `${keyOfRow(row)} ${row.gpus} ${row.machines}`)
    .sort()
    .join('\n')

/** Records captured and imported rows, and checks that the stores have exactly these. */
export function openOracle() {
  /** The captures of a slot. There are several only when PostgreSQL was restored to a time before the first. */
  const captured = new Map<number, string[]>()
  /** Slots that must be there. */
  const expected = new Set<number>()
  const imported = new Set<string>()

  /**
   * The problem of the stores; undefined if every slot is there once, the stores agree, and derived rows follow from the
   * observations.
   */
  function findProblem({ postgres, series, since }: Stores): string | undefined {
    const all = [...series.observations, ...series.expired]
    const shown = new Map(entries(series).map((entry) => [`${entry.slot} ${entry.source}`, entry]))
    const rowsOf = groupBy(
      all.filter(({ source }) => source === 'market'),
      ({ slot }) => slot,
    )
    for (const slot of expected) {
      const snapshot = postgres.snapshots.get(slot)
      if (!snapshot) return `slot ${slot} was captured and is not in the ledger`
      if (snapshot.loadedAt === undefined) return `slot ${slot} is not loaded`
      const entry = shown.get(`${slot} market`)
      if (!entry?.ready) return `slot ${slot} is loaded and readers do not see it`
      const rows = rowsOf.get(slot) ?? []
      if (rows.length !== entry.observations)
        return `slot ${slot} has ${rows.length} observations and is entered with ${entry.observations}`
      if (!captured.get(slot)?.includes(contentOf(rows)))
        return `slot ${slot} has other observations than were captured`
    }
    for (const slot of rowsOf.keys()) if (!expected.has(slot)) return `slot ${slot} was never captured`
    for (const slot of postgres.snapshots.keys())
      if (!expected.has(slot)) return `the ledger has slot ${slot} too many`
    if (postgres.pending.length > 0) return 'a roll-up is left to do'
    if (postgres.importWork.length > 0) return 'a change of imports is left to do'

    const keys = new Set<string>()
    for (const row of all) {
      const key = keyOfRow(row)
      if (keys.has(key)) return `a row is there twice: ${key}`
      keys.add(key)
    }
    for (const key of imported) if (!keys.has(key)) return `an imported row is lost: ${key}`
    const counts = countBy(all, keyOfEntry)
    for (const { ready, slot, source, observations } of shown.values()) {
      if (!ready) return `slot ${slot} of ${source} is not shown`
      const found = counts.get(keyOfEntry({ slot, source })) ?? 0
      if (found !== observations)
        return `slot ${slot} of ${source} has ${found} of ${observations} observations`
    }
    if (newestRevision(series) > postgres.revision)
      return 'ClickHouse has a revision that PostgreSQL never gave out'
    const histogram = compare(
      new Map([...series.histogram].map(([key, { weight }]) => [key, String(weight)])),
      new Map([...histogramRows(all)].map(([key, { weight }]) => [key, String(weight)])),
    )
    if (histogram) return `the price histogram is wrong: ${histogram}, complete since ${since}`
    const cube = compare(
      new Map([...series.cube].map(([key, { value }]) => [key, value])),
      expectedCube(series),
    )
    return cube && `the cube is wrong: ${cube}, complete since ${since}`
  }

  return {
    verify({ when, ...stores }: Stores & { when: string }): void {
      const problem = findProblem(stores)
      if (problem) throw new Error(`${problem} (${when})`)
    },
    captured(slot: number, rows: readonly Row[]): void {
      expected.add(slot)
      captured.set(slot, [...(captured.get(slot) ?? []), contentOf(rows)])
    },
    imported(rows: readonly Row[]): void {
      for (const row of rows) imported.add(keyOfRow(row))
    },
    /** Imports are not in PostgreSQL: a restored ClickHouse has the imports of its time. */
    forgetImports(kept: ReadonlySet<string>): void {
      for (const key of imported) if (!kept.has(key)) imported.delete(key)
    },
    /** The slots that at least one store has completely: none of them may be lost. */
    complete({ postgres, series, since }: Stores): Set<number> {
      const found = groupBy(
        series.observations.filter(({ source }) => source === 'market'),
        ({ slot }) => slot,
      )
      const whole = entries(series).filter(
        ({ slot, source, ready, observations }) =>
          source === 'market' &&
          ready &&
          (slot < ceilTo(3600, since) || found.get(slot)?.length === observations),
      )
      const spooled = [...postgres.snapshots.values()].filter(
        ({ slot, observations }) => observations === 0 || postgres.spool.has(slot),
      )
      return new Set([...whole, ...spooled].map(({ slot }) => slot))
    },
    /** After a reconciliation: every slot of the ledger exists, and every slot that was complete in a store is in the ledger. */
    reconciled({ snapshots }: PostgresState, mustKeep: ReadonlySet<number>): void {
      for (const slot of mustKeep)
        if (!snapshots.has(slot))
          throw new Error(`slot ${slot} was complete in a store and is lost by the reconciliation`)
      expected.clear()
      for (const slot of snapshots.keys()) if (captured.has(slot)) expected.add(slot)
    },
  }
}

function compare(is: Map<string, string>, should: Map<string, string>): string | undefined {
  for (const [key, value] of should)
    if (is.get(key) !== value) return `${key} is ${is.get(key)}, should be ${value}`
  for (const key of is.keys()) if (!should.has(key)) return `${key} should not be there`
  return undefined
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return counts
}

function groupBy<T, Key>(items: readonly T[], keyOf: (item: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
