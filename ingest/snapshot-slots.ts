import { selectRows } from '../platform/stores/clickhouse.ts'
import type { Session } from '../platform/stores/postgres.ts'
import type { Range } from './ranges.ts'
import type { Series } from './write-series.ts'

/** Whose observations something is of. */
export interface Observed {
  slot: number
  source: string
}

/**
 * Whether observations are of a snapshot, which PostgreSQL knows; others were imported or generated. Snapshots of a simulated market begin at
 * `anchor` (unix seconds); what is older is its generated history.
 */
export const isSnapshot = ({ slot, source }: Observed, anchor: number | undefined): boolean =>
  source === 'market' || (source === 'simulated' && anchor !== undefined && slot >= anchor)

/** Where the snapshots of a simulated market begin, unix seconds; undefined: the market is not simulated. */
export async function anchorOf(postgres: Session): Promise<number | undefined> {
  const { rows } = await postgres.query<{ anchor: number }>('SELECT anchor_slot AS anchor FROM simulation')
  return rows[0]?.anchor
}

/**
 * The slots of a range that have observations of a snapshot which is not loaded to the end: it waits, or PostgreSQL was restored and does not
 * know it. What there is of it may be a part.
 */
export async function unfinishedSnapshots(series: Series, { from, to }: Range): Promise<number[]> {
  const seen = await selectRows<Observed>(series.clickhouse, 'slots/seen', {
    from,
    to,
  })
  const { rows } = await series.postgres.query<{ slot: number }>(
    'SELECT slot FROM snapshots WHERE loaded_at IS NOT NULL AND slot >= $1 AND slot < $2',
    [from, to],
  )
  const loaded = new Set(rows.map(({ slot }) => slot))
  const anchor = await anchorOf(series.postgres)
  return seen.flatMap((one) => (isSnapshot(one, anchor) && !loaded.has(one.slot) ? [one.slot] : []))
}
