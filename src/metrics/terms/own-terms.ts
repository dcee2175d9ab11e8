import { termNames } from '../../../contract/term-names.ts'
import type { ListingTerms } from '../../../contract/terms.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'

/** The terms of some machines as a slot has them, by id and GPU name; of the others none is known. */
export async function readOwnTerms(
  clickhouse: ClickHouse,
  machines: readonly { id: number; gpu_name: string }[],
  slot: number,
): Promise<(machine: { id: number; gpu_name: string }) => ListingTerms | null> {
  const keyOf = ({ id, gpu_name }: { id: number; gpu_name: string }) => `${id} ${gpu_name}`
  const rows = await selectRows<{ id: number; gpu_name: string; text: string }>(
    clickhouse,
    loadSql('clickhouse/queries/terms/machines'),
    {
      ids: machines.map(({ id }) => id),
      names: [...new Set(machines.map(({ gpu_name }) => gpu_name))],
      slot,
    },
  )
  const termsOf = new Map(rows.map((row) => [keyOf(row), read(row.text)]))
  return (machine) => termsOf.get(keyOf(machine)) ?? null
}

function read(text: string): ListingTerms {
  const values: (number | null)[] = JSON.parse(text)
  return Object.fromEntries(termNames.map((name, place) => [name, values[place] ?? null])) as ListingTerms
}
