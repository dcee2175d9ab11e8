import { termNames } from '../../../contract/listing-terms.ts'
import { recordOf } from '../../../contract/records.ts'
import type { ListingTerms } from '../../../contract/terms.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import type { SeriesState } from '../../market/market-query/series.ts'
import { onceASlot } from './once-a-slot.ts'
import type { ListedMachine } from './own-machines.ts'

type Listed = Pick<ListedMachine, 'id' | 'gpu_name'>

const keyOf = ({ id, gpu_name }: Listed) => `${id} ${gpu_name}`

/** Reads the terms of machines at the newest slot; null: unknown. */
export function openOwnTerms(clickhouse: ClickHouse) {
  const readTerms = onceASlot(async (machines: readonly Listed[], slot) => {
    const rows = await selectRows<Listed & { text: string }>(clickhouse, 'terms/machines', {
      ids: machines.map(({ id }) => id),
      names: [...new Set(machines.map(({ gpu_name }) => gpu_name))],
      slot,
    })
    return new Map(rows.map((row) => [keyOf(row), read(row.text)]))
  })
  return async (machines: readonly Listed[], state: SeriesState) => {
    const terms = await readTerms(machines, state)
    return (machine: Listed): ListingTerms | null => terms.get(keyOf(machine)) ?? null
  }
}

function read(text: string): ListingTerms {
  const values: (number | null)[] = JSON.parse(text)
  return recordOf(termNames, (_, place) => values[place] ?? null)
}
