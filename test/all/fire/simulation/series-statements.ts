import { floorTo, slotStep, wholeBuckets } from '../../../../contract/ladder.ts'
import { loadSql, withRowsOf } from '../../../../platform/stores/sql-files.ts'
import {
  bucketRows,
  type Entry,
  entries,
  histogramRows,
  isWithin,
  keyOfDerived,
  keyOfEntry,
  keyOfRow,
  newestRevision,
  observedRows,
  pooled,
  type Row,
  type SeriesState,
  type StagedRow,
  storedWeights,
} from './series-model.ts'

export type Parameters = Record<string, unknown>

/** The effect of a statement after it has read: blocks to write or rows to remove, and its answer. */
export interface Plan {
  blocks?: (() => void)[]
  remove?: () => void
  rows?: unknown[]
  written?: number
}

interface Server {
  state: () => SeriesState
  /** The blocks that rows are written in. A block is written completely or not at all. */
  split: <T>(rows: T[]) => T[][]
  running: () => string[]
  end: (ids: readonly string[]) => void
  unfinishedDeletes: () => number
}

type Handler = (parameters: Parameters) => Plan | Error

/** The effect of each statement on ClickHouse, by its text. */
export function statements(server: Server): Map<string, Handler> {
  return new Map([
    ...loads(server),
    ...slots(server),
    ...derivations(server),
    ...imports(server),
    ...others(server),
  ])
}

function forget<T>(table: Map<string, T>, rows: [string, T][]): void {
  for (const [key] of rows) table.delete(key)
}

const sql = (name: string) => loadSql(`clickhouse/queries/${name}`)
/** The text of the statement for a single server. */
const rollUp = (name: string, view: string) => withRowsOf(view, sql(`rollup/${name}`), undefined)
const range = ({ from, to }: Parameters) => isWithin(Number(from), Number(to))
const select = (rows: unknown[]): Plan => ({ rows })
const empty = () => select([])

function enter(state: SeriesState, entry: Entry): void {
  const key = keyOfEntry(entry)
  state.slots.set(key, [...(state.slots.get(key) ?? []), entry])
}

/** The newest revision of a slot's entries; 0 without one, as max() of nothing is. */
const revisionOf = (state: SeriesState, { slot, source }: Parameters): number =>
  Math.max(0, ...(state.slots.get(`${slot} ${source}`) ?? []).map(({ revision }) => revision))

const isOf =
  ({ slot, source }: Parameters) =>
  (row: Row) =>
    row.slot === slot && row.source === source

function readLines(body: unknown): Row[] {
  return String(body)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [slot, machine, gpu, , gpus, machines, rented, , , price, , , source] = JSON.parse(line)
      return { slot, machine, gpu, gpus, machines, rented, price, source, importId: 0 }
    })
}

function loads({ state }: Server): [string, Handler][] {
  return [
    [sql('load/count_snapshot'), (p) => select([{ found: state().observations.filter(isOf(p)).length }])],
    [
      sql('load/observations'),
      ({ body, token, ...p }) => {
        const rows = Number(p.revision) > revisionOf(state(), p) ? readLines(body) : []
        const write = () => {
          if (rows.length === 0 || state().tokens.includes(String(token))) return
          state().tokens = [...state().tokens.slice(-999), String(token)]
          state().observations.push(...rows)
        }
        return { blocks: [write] }
      },
    ],
    [
      sql('load/forget_snapshot'),
      (p) => {
        if (Number(p.revision) <= revisionOf(state(), p)) return {}
        const gone = new Set(state().observations.filter(isOf(p)))
        return {
          remove: () => {
            state().observations = state().observations.filter((row) => !gone.has(row))
          },
        }
      },
    ],
  ]
}

function slots({ state, split }: Server): [string, Handler][] {
  const counted = (p: Parameters, ready: boolean): Entry[] => {
    const within = range(p)
    const isUnfinished = ({ slot, source }: Row) =>
      source === 'market' && (p.unfinished as number[]).includes(slot)
    const found = new Map<string, Entry>()
    for (const { slot, source } of state().observations.filter(
      (row) => within(row.slot) && !isUnfinished(row),
    )) {
      const key = keyOfEntry({ slot, source })
      const observations = (found.get(key)?.observations ?? 0) + 1
      found.set(key, { slot, source, observations, ready, revision: Number(p.revision) })
    }
    return [...found.values()]
  }
  const insert = (rows: Entry[]): Plan => ({
    blocks: split(rows).map((part) => () => {
      for (const entry of part) enter(state(), entry)
    }),
  })
  return [
    [
      sql('slots/seen'),
      (p) => {
        const seen = state().observations.filter(({ slot, source }) => source === 'market' && range(p)(slot))
        return select([...new Set(seen.map(({ slot }) => slot))].map((slot) => ({ slot, source: 'market' })))
      },
    ],
    ['INSERT INTO slots', ({ body }) => insert(JSON.parse(String(body)) as Entry[])],
    [
      sql('slots/announce'),
      (p) => insert(counted(p, false).filter((entry) => !state().slots.has(keyOfEntry(entry)))),
    ],
    [sql('slots/show'), (p) => insert(counted(p, true))],
    [
      sql('slots/enter_again'),
      ({ revision }) => {
        const known = entries(state()).sort((a, b) => b.slot - a.slot || (a.source < b.source ? -1 : 1))
        return insert(known.slice(0, 1).map((entry) => ({ ...entry, revision: Number(revision) })))
      },
    ],
    [
      sql('slots/forget'),
      ({ slot, source, revision }) => ({
        remove: () => {
          const key = `${slot} ${source}`
          const kept = (state().slots.get(key) ?? []).filter((entry) => entry.revision >= Number(revision))
          if (kept.length > 0) state().slots.set(key, kept)
          else state().slots.delete(key)
        },
      }),
    ],
    [
      sql('slots/shown'),
      (p) =>
        select(
          entries(state())
            .filter((e) => e.ready && e.source === 'market' && range(p)(e.slot))
            .map(({ slot }) => ({ slot })),
        ),
    ],
  ]
}

function derivations({ state, split }: Server): [string, Handler][] {
  const cubeValue = (slot: number, gpu: string) => state().cube.get(keyOfDerived(slotStep, slot, gpu))?.value
  const insert = (rows: ReturnType<typeof observedRows>, revision: number): Plan => ({
    blocks: split(rows).map((part) => () => {
      for (const row of part) {
        const key = keyOfDerived(row.step, row.bucket, row.gpu)
        if (revision >= (state().cube.get(key)?.revision ?? 0)) state().cube.set(key, { ...row, revision })
      }
    }),
  })
  const observed = (p: Parameters) => state().observations.filter(({ slot }) => range(p)(slot))
  const staleRows = (p: Parameters) =>
    [...state().cube].filter(
      ([, row]) => row.step === p.step && range(p)(row.bucket) && row.revision < Number(p.revision),
    )
  const stalePrices = (table: 'histogram' | 'priceSteps', p: Parameters) =>
    [...state()[table]].filter(
      ([, row]) => row.step === (p.step ?? 3600) && range(p)(row.bucket) && row.revision < Number(p.revision),
    )
  const insertPrices = (
    table: 'histogram' | 'priceSteps',
    p: Parameters,
    rows: ReturnType<typeof pooled>,
  ): Plan => ({
    blocks: split([...rows]).map((part) => () => {
      for (const [key, row] of part)
        if (Number(p.revision) >= (state()[table].get(key)?.revision ?? 0))
          state()[table].set(key, { ...row, revision: Number(p.revision) })
    }),
  })
  const bucketsOf = (p: Parameters) =>
    (p.steps as number[]).map((step) => ({
      ...wholeBuckets(step, { from: Number(p.from), to: Number(p.to) }),
      step,
    }))
  return [
    [
      sql('rollup/observations_per_hour'),
      (p) => {
        const sums = new Map<number, { hour: number; observations: number }>()
        for (const { slot, observations } of entries(state()).filter((entry) => range(p)(entry.slot))) {
          const hour = floorTo(3600, slot)
          const sum = sums.get(hour) ?? { hour, observations: 0 }
          sums.set(hour, { hour, observations: sum.observations + observations })
        }
        const hours = [...sums.values()]
        return select(hours.sort((a, b) => a.hour - b.hour))
      },
    ],
    [rollUp('histogram', 'histogram_rows'), (p) => insertPrices('histogram', p, histogramRows(observed(p)))],
    [
      rollUp('price_steps', 'step_rows'),
      (p) => {
        const hours = [...state().histogram.values()].filter(({ bucket }) => range(p)(bucket))
        return insertPrices('priceSteps', p, pooled(Number(p.step), hours))
      },
    ],
    [
      rollUp('slots', 'slot_rows'),
      (p) =>
        insert(
          bucketsOf(p).flatMap((buckets) => observedRows(state(), buckets)),
          Number(p.revision),
        ),
    ],
    [
      rollUp('buckets', 'bucket_rows'),
      (p) =>
        insert(
          bucketsOf(p).flatMap((buckets) =>
            bucketRows(state(), {
              ...buckets,
              weights: storedWeights(state(), buckets.step),
              slotValue: cubeValue,
            }),
          ),
          Number(p.revision),
        ),
    ],
    // Flows are left out: test/real/flows.test.ts follows them on a real engine.
    [sql('rollup/slot_before'), () => select([{ slot: 0 }])],
    [rollUp('flows', 'flow_rows'), () => ({})],
    // Nor terms and specs: test/real/terms.test.ts follows them.
    [sql('rollup/first_kept'), () => select([{ start: 0 }])],
    [sql('rollup/changes_around'), (p) => select([{ to: Number(p.to), terms: 0, specs: 0 }])],
    [rollUp('terms', 'term_rows'), () => ({})],
    [rollUp('specs', 'spec_rows'), () => ({})],
    [sql('check/terms'), empty],
    [sql('check/specs'), empty],
    // Nor sums: test/real/market-property.test.ts compares them with the plain definition.
    [sql('rollup/find_stale_price_steps'), (p) => select(stalePrices('priceSteps', p).slice(0, 1))],
    [
      sql('rollup/forget_stale_price_steps'),
      (p) => ({ remove: () => forget(state().priceSteps, stalePrices('priceSteps', p)) }),
    ],
    [sql('check/price_steps'), empty],
    [sql('series/lacking'), () => select([{ before: 0 }])],
    [sql('rollup/find_stale_flows'), empty],
    [sql('check/flows'), empty],
    [sql('rollup/find_stale'), (p) => select(staleRows(p).slice(0, 1))],
    [sql('rollup/find_stale_histogram'), (p) => select(stalePrices('histogram', p).slice(0, 1))],
    [sql('rollup/forget_stale'), (p) => ({ remove: () => forget(state().cube, staleRows(p)) })],
    [
      sql('rollup/forget_stale_histogram'),
      (p) => ({ remove: () => forget(state().histogram, stalePrices('histogram', p)) }),
    ],
  ]
}

const min = (numbers: number[]) => numbers.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
const max = (numbers: number[]) => numbers.reduce((a, b) => Math.max(a, b), 0)

function imports({ state, split }: Server): [string, Handler][] {
  const stageOf = ({ table }: Parameters) => state().stages.get(String(table))
  /** The newest slot was not entered by a later holder of the series. */
  const isNewest = ({ revision }: Parameters) =>
    Number(revision) > max([...state().slots.values()].flat().map((entry) => entry.revision))
  const noTable = () => new Error('UNKNOWN_TABLE: the table of the import was dropped')
  const perHour = (rows: { slot: number; file: number }[]) => {
    const sums = new Map<string, { hour: number; file: number; observations: number }>()
    for (const { slot, file } of rows) {
      const hour = floorTo(3600, slot)
      const sum = sums.get(`${hour} ${file}`) ?? { hour, file, observations: 0 }
      sums.set(`${hour} ${file}`, { ...sum, observations: sum.observations + 1 })
    }
    // No rows of these files contradict each other or the series: test/real/imports.test.ts has such files.
    return [...sums.values()].map((sum) => ({ ...sum, odd: 0, contrary: 0 })).sort((a, b) => a.hour - b.hour)
  }
  const newRows = (p: Parameters): StagedRow[] => {
    const removed = p.removed as number[]
    const present = state().observations.filter(
      (row) => row.source === p.source && !removed.includes(row.importId),
    )
    const seen = new Set(present.map(keyOfRow))
    const machineOf = ({ slot, machine, gpu }: Row) => [slot, machine, gpu].join()
    const counted = new Set(present.filter(({ machines }) => machines === 1).map(machineOf))
    const found: StagedRow[] = []
    for (const staged of stageOf(p) ?? []) {
      const row = { ...staged, source: String(p.source) }
      if (!range(p)(row.slot) || seen.has(keyOfRow(row))) continue
      seen.add(keyOfRow(row))
      found.push(row)
    }
    found.sort((a, b) => Number(a.rented) - Number(b.rented) || a.price - b.price)
    for (const row of found) {
      row.machines = counted.has(machineOf(row)) ? 0 : 1
      counted.add(machineOf(row))
    }
    return found
  }
  return [
    [
      sql('import/leftovers'),
      ({ kept }) => {
        const names = [...state().stages.keys()].filter((name) => !(kept as string[]).includes(name))
        return select(names.map((name) => ({ name })))
      },
    ],
    [
      'DROP TABLE IF EXISTS {table:Identifier} SYNC',
      ({ table }) => ({ blocks: [() => void state().stages.delete(String(table))] }),
    ],
    [sql('import/stage'), ({ table }) => ({ blocks: [() => void state().stages.set(String(table), [])] })],
    [
      'INSERT INTO {table:Identifier} FORMAT JSONCompactEachRow',
      (p) => {
        if (!stageOf(p)) return noTable()
        const rows = String(p.body)
          .split('\n')
          .map((line) => {
            const [, file, , slot, machine, gpu, , gpus, rented, , , price] = JSON.parse(line)
            const row = { slot, machine, gpu, gpus, rented, price: Number(price) }
            return { ...row, file, machines: 0, source: '', importId: 0 }
          })
        return { blocks: split(rows).map((part) => () => stageOf(p)?.push(...part)) }
      },
    ],
    [sql('import/staged_hours'), (p) => (stageOf(p) ? select(perHour(stageOf(p) ?? [])) : noTable())],
    [sql('import/judged_hours'), (p) => (stageOf(p) ? select(perHour(newRows(p))) : noTable())],
    [
      sql('import/move_new'),
      (p) => {
        if (!stageOf(p)) return noTable()
        const ids = p.imports as number[]
        const rows = isNewest(p) ? newRows(p) : []
        const moved = rows.map(({ file, ...row }) => ({ ...row, importId: ids[file] ?? 0 }))
        return { blocks: split(moved).map((part) => () => void state().observations.push(...part)) }
      },
    ],
    [
      'SELECT 1 FROM system.tables WHERE database = currentDatabase() AND name = {table:String}',
      (p) => select(stageOf(p) ? [{}] : []),
    ],
    [
      sql('import/imports'),
      (p) => {
        const ids = p.imports as number[]
        return select(
          ids.flatMap((import_id) => {
            const slots = state()
              .observations.filter((row) => row.importId === import_id)
              .map(({ slot }) => slot)
            const [from_slot, to_slot] = [min(slots), max(slots)]
            return slots.length === 0 ? [] : [{ import_id, observations: slots.length, from_slot, to_slot }]
          }),
        )
      },
    ],
  ]
}

function others({ state, running, end, unfinishedDeletes }: Server): [string, Handler][] {
  const versions = () => [...state().slots.values()].flat()
  return [
    [
      sql('series/running'),
      ({ prefix, id }) =>
        select(
          running()
            .filter((name) => name !== id && name.startsWith(String(prefix)))
            .map((name) => ({ id: name })),
        ),
    ],
    [
      sql('series/end_statements'),
      ({ ids }) => {
        end(ids as string[])
        return {}
      },
    ],
    [sql('series/unfinished_deletes'), () => select(unfinishedDeletes() > 0 ? [{ unfinished: 1 }] : [])],
    [
      sql('series/newest'),
      ({ loaded }) =>
        select([
          {
            revision: max(versions().map(({ revision }) => revision)),
            slot: max(
              versions()
                .filter(({ source }) => source === 'market')
                .map(({ slot }) => slot),
            ),
            shown: Number(versions().some((e) => e.slot === loaded && e.ready && e.source === 'market')),
          },
        ]),
    ],
    [sql('series/newest_revision'), () => select([{ revision: newestRevision(state()) }])],
    ...['series/range', 'check/range'].map((name): [string, Handler] => [
      sql(name),
      () => {
        const all = versions().map(({ slot }) => slot)
        return select([all.length === 0 ? { from: 0, to: 0 } : { from: min(all), to: max(all) + 1 }])
      },
    ]),
    [sql('series/entries'), ({ since }) => select(bySource(state(), Number(since)))],
    [loadSql('clickhouse/queries/health/disk'), empty],
    [`SELECT 1 FROM system.backups WHERE status = 'RESTORING'`, empty],
    ...['cube', 'machines', 'price_histogram', 'days', 'newest_revisions', 'unknown_steps'].map(
      (name): [string, Handler] => [sql(`check/${name}`), empty],
    ),
    // Days are left out: test/real/price-index.test.ts follows them on a real engine.
    [sql('days/due'), empty],
    [
      sql('check/slots'),
      (p) =>
        select(
          bySource(state(), Number(p.since))
            .filter(isStrange)
            .filter(({ slot }) => range(p)(slot)),
        ),
    ],
    [sql('retention/now'), () => select([{ days: state().days }])],
    [sql('retention/by_parts'), empty],
    [
      sql('retention/set'),
      ({ days }) => ({
        blocks: [
          () => {
            state().days = Number(days)
          },
        ],
      }),
    ],
    [
      sql('retention/remove'),
      () => ({
        blocks: [
          () => {
            state().days = 0
          },
        ],
      }),
    ],
    [
      sql('retention/found'),
      () => {
        const first = min(state().observations.map(({ slot }) => slot))
        const gone = entries(state()).filter((e) => e.ready && e.observations > 0 && e.slot < first)
        // min() of no rows is 0 in ClickHouse.
        const before = Number.isFinite(first) ? gone : []
        return select([{ gone_before: before.length === 0 ? 0 : max(before.map(({ slot }) => slot)) + 1 }])
      },
    ],
  ]
}

/** The columns that check/slots selects. No observation is there twice. */
const isStrange = ({ entered, found, is_ready }: { entered: number; found: number; is_ready: boolean }) =>
  entered !== found || found === 0 || !is_ready

/** The answer of series/entries. */
function bySource(state: SeriesState, since: number) {
  const found = new Map(
    entries(state).map((e) => [
      keyOfEntry(e),
      {
        slot: e.slot,
        source: e.source,
        is_entered: true,
        entered: e.observations,
        is_ready: e.ready,
        found: e.ready && e.slot < since ? e.observations : 0,
      },
    ]),
  )
  for (const { slot, source } of state.observations.filter((row) => row.slot >= since)) {
    const key = keyOfEntry({ slot, source })
    const entry = found.get(key) ?? { slot, source, is_entered: false, entered: 0, is_ready: false, found: 0 }
    entry.found += 1
    found.set(key, entry)
  }
  return [...found.values()]
    .map((entry) => ({ ...entry, distinct_rows: entry.found }))
    .sort((a, b) => a.slot - b.slot)
}
