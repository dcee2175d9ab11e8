import { LRUCache } from 'lru-cache'
import { termNames } from '../../../contract/term-names.ts'
import type { ListingTerms } from '../../../contract/terms.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'
import type { ListedMachine } from '../machines/own-machines.ts'
import { keepNewest } from '../question/keep-newest.ts'
import type { SeriesState } from '../question/series.ts'

interface Asked {
  machines: readonly Listed[]
  state: SeriesState
}
type Listed = Pick<ListedMachine, 'id' | 'gpu_name'>

const keyOf = ({ id, gpu_name }: Listed) => `${id} ${gpu_name}`

/** Says the terms of machines as the newest slot has them; null: none is known. They are read once a slot. */
export function openOwnTerms(clickhouse: ClickHouse) {
  const known = new LRUCache<string, Map<string, ListingTerms>, Asked>({
    max: 1000,
    maxSize: 50_000,
    sizeCalculation: (terms) => terms.size + 1,
    ignoreFetchAbort: true, // more lists at once than fit still get their answers
    fetchMethod: async (_key, _stale, { context: { machines, state } }) => {
      const rows = await selectRows<Listed & { text: string }>(
        clickhouse,
        loadSql('clickhouse/queries/terms/machines'),
        {
          ids: machines.map(({ id }) => id),
          names: [...new Set(machines.map(({ gpu_name }) => gpu_name))],
          slot: state.newest_slot,
        },
      )
      return new Map(rows.map((row) => [keyOf(row), read(row.text)]))
    },
  })
  const keepOnly = keepNewest(known)
  return async (asked: Asked): Promise<(machine: Listed) => ListingTerms | null> => {
    const edition = `${asked.state.revision}`
    keepOnly(edition)
    const key = `${edition} ${asked.machines.map(keyOf).join()}`
    const terms = await known.forceFetch(key, { context: asked })
    return (machine) => terms.get(keyOf(machine)) ?? null
  }
}

function read(text: string): ListingTerms {
  const values: (number | null)[] = JSON.parse(text)
  return Object.fromEntries(termNames.map((name, place) => [name, values[place] ?? null])) as ListingTerms
}
