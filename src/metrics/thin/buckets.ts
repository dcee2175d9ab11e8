import type { MarketFilter } from '../../../contract/filter-fields.ts'
import type { ClickHouse } from '../../../platform/stores/clickhouse.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'
import { selectHistogram } from '../question/select.ts'

interface Asked extends MarketFilter {
  /** None: all of them. */
  names: string[]
  step: number
  from: number
  to: number
}

/** Whether the prices of a GPU name in a bucket come from too few machines or hosts; null without a price. */
interface ThinBucket {
  gpu_name: string
  start: number
  rented_thin: boolean | null
  avail_thin: boolean | null
}

/** The marks of each bucket in which a GPU name was on the market. */
export async function selectThin(clickhouse: ClickHouse, asked: Asked): Promise<ThinBucket[]> {
  const query = loadSql('clickhouse/queries/thin/buckets')
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
