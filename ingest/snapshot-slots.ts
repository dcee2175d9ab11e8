import { selectRows } from '../platform/stores/clickhouse.ts'
import type { Session } from '../platform/stores/postgres.ts'
import type { Range } from './ranges.ts'
import type { Series } from './write-series.ts'

/** The slot and the source of observations. */
export interface Observed {
  slot: number
  source: string
}

/**
 * True if the observations are a snapshot, which PostgreSQL records. Other observations were imported or generated. Snapshots of
 * a simulated market begin at `anchor` (unix seconds). Older observations are its generated history.
 */
export const isSnapshot = ({ slot, source }: Observed, anchor: number | undefined): boolean =>
  source === 'market' || (source === 'simulated' && anchor !== undefined && slot >= anchor)

/** The time of the first snapshot of a simulated market, unix seconds; undefined: the market is not simulated. */
export async function anchorOf(postgres: Session): Promise<number | undefined> {
  const { rows } = await postgres.query<{ anchor: number }>('SELECT anchor_slot AS anchor FROM simulation')
  return rows[0]?.anchor
}

/**
 * The slots of a range whose snapshot is not completely loaded: it waits in the spool, or a restored PostgreSQL has no record of
 * it. Their observations may be a part of the snapshot.
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
