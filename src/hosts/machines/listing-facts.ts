import type { z } from 'zod'
import { termNames } from '../../../contract/listing-terms.ts'
import type { ownMachine } from '../../../contract/machines.ts'
import { recordOf } from '../../../contract/records.ts'
import type { ListingTerms } from '../../../contract/terms.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import type { SeriesState } from '../../market/market-query/series.ts'
import { onceASlot } from './once-a-slot.ts'
import type { ListedMachine } from './own-machines.ts'

type Listed = Pick<ListedMachine, 'id' | 'gpu_name'>

const keyOf = ({ id, gpu_name }: Listed) => `${id} ${gpu_name}`

/** The facts of a listing at a slot; null: unknown, or the machine is not on the market. */
type ListingFacts = Pick<z.infer<typeof ownMachine>, 'terms' | 'country'>

const unknown: ListingFacts = { terms: null, country: null }

/** Reads the terms and the countries of machines at the newest slot. */
export function openListingFacts(clickhouse: ClickHouse) {
  const readFacts = onceASlot(async (machines: readonly Listed[], slot) => {
    const rows = await selectRows<Listed & { text: string; country: string }>(clickhouse, 'terms/machines', {
      ids: machines.map(({ id }) => id),
      names: [...new Set(machines.map(({ gpu_name }) => gpu_name))],
      slot,
    })
    return new Map(
      rows.map((row): [string, ListingFacts] => [
        keyOf(row),
        { terms: row.text === '' ? null : read(row.text), country: row.country || null },
      ]),
    )
  })
  return async (machines: readonly Listed[], state: SeriesState) => {
    const facts = await readFacts(machines, state)
    return (machine: Listed): ListingFacts => facts.get(keyOf(machine)) ?? unknown
  }
}

function read(text: string): ListingTerms {
  const values: (number | null)[] = JSON.parse(text)
  return recordOf(termNames, (_, place) => values[place] ?? null)
}
