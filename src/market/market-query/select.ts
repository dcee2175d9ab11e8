import { ClickHouseError } from '@clickhouse/client'
import { hour } from '../../../contract/durations.ts'
import type { MarketFilter } from '../../../contract/filter-fields.ts'
import { priceSteps } from '../../../contract/ladder.ts'
import { everyMachine, filterOf } from '../../../contract/market-filter.ts'
import { invalidArgs } from '../../../platform/errors.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import type { SeriesQuestion } from './resolve.ts'

/** Rows that an answer may read, some seconds of work. */
export const maxRowsToRead = 50_000_000

/** The filter that all machines pass. */
export const everything: MarketFilter = { ...everyMachine, num_gpus: 0, gpu_memory: 0 }

/** The parameters of a statement over the price histogram. */
export const parametersOf = ({ known, from, to, step, ...filter }: SeriesQuestion) => ({
  names: known,
  from,
  to,
  step,
  ...filterOf(filter),
})

/** The coarsest buckets with a price histogram that make up a step of whole hours: they have the fewest rows. */
export const pooledStep = (step: number): number => priceSteps.find((pooled) => step % pooled === 0) ?? hour

/** Runs a statement over the price histogram or the cube; refuses what would read too much. */
export async function selectHistogram<Row>(
  clickhouse: ClickHouse,
  text: string,
  parameters: Parameters<typeof selectRows>[2],
  mostRows = maxRowsToRead,
): Promise<Row[]> {
  try {
    return await selectRows<Row>(clickhouse, text, parameters, {
      max_rows_to_read: String(mostRows),
      do_not_merge_across_partitions_select_final: 1, // an hour is in one partition
    })
  } catch (error) {
    if (!(error instanceof ClickHouseError && error.type === 'TOO_MANY_ROWS')) throw error
    throw invalidArgs('The range has too much data. Request a shorter range or fewer GPU names.')
  }
}

/** One answer for each name, without a prototype, so that a GPU may have any name. */
export function byName<Value>(names: readonly string[], answerFor: (name: string) => Value) {
  const gpus: Record<string, Value> = Object.create(null)
  for (const name of names) gpus[name] = answerFor(name)
  return gpus
}
