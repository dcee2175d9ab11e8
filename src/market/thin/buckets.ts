import type { MarketFilter } from '../../../contract/filter-fields.ts'
import type { ClickHouse } from '../../../platform/stores/clickhouse.ts'
import { selectHistogram } from '../market-query/select.ts'

interface ThinQuery extends MarketFilter {
  names: string[]
  step: number
  from: number
  to: number
}

/** True if the prices of a GPU name in a bucket come from too few machines or hosts; null without a price. */
export interface ThinBucket {
  gpu_name: string
  start: number
  rented_thin: boolean | null
  avail_thin: boolean | null
}

/** The marks of each bucket in which a GPU name was on the market, from observations. */
export async function selectThin(clickhouse: ClickHouse, asked: ThinQuery): Promise<ThinBucket[]> {
  const query = 'thin/buckets'
  const rows = await selectHistogram<
    Record<'any_rented' | 'any_avail' | 'rented_thin' | 'avail_thin', number> &
      Pick<ThinBucket, 'gpu_name' | 'start'>
  >(clickhouse, query, { ...asked })
  return rows.map(({ gpu_name, start, any_rented, any_avail, rented_thin, avail_thin }) => ({
    gpu_name,
    start,
    rented_thin: any_rented ? Boolean(rented_thin) : null,
    avail_thin: any_avail ? Boolean(avail_thin) : null,
  }))
}

const marks = { none: null, no: false, yes: true, unknown: undefined } as const

type StoredRow = Pick<ThinBucket, 'gpu_name' | 'start'> & Record<'rented' | 'avail', keyof typeof marks>

/**
 * The marks from the cube where they are decided, as for names with many machines. Observations are read only for the remaining names and the
 * undecided part of the range. `stored_step`: a step of the cube that divides `step`, or 1 if a bucket has one slot.
 */
export async function selectStoredThin(
  clickhouse: ClickHouse,
  asked: ThinQuery & { stored_step: number },
): Promise<ThinBucket[]> {
  const query = 'thin/stored'
  const rows = await selectHistogram<StoredRow>(clickhouse, query, { ...asked })
  const known: ThinBucket[] = []
  const unknown: StoredRow[] = []
  for (const row of rows) {
    const { gpu_name, start } = row
    const [rented_thin, avail_thin] = [marks[row.rented], marks[row.avail]]
    if (rented_thin === undefined || avail_thin === undefined) unknown.push(row)
    else known.push({ gpu_name, start, rented_thin, avail_thin })
  }
  if (unknown.length === 0) return known
  const starts = unknown.map(({ start }) => start)
  const observed = await selectThin(clickhouse, {
    ...asked,
    names: [...new Set(unknown.map(({ gpu_name }) => gpu_name))],
    from: starts.reduce((least, start) => Math.min(least, start)),
    to: starts.reduce((most, start) => Math.max(most, start)) + asked.step,
  })
  return [...known, ...observed]
}
