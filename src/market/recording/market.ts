import { week } from '../../../contract/durations.ts'
import { floorTo } from '../../../contract/ladder.ts'
import type { MarketRecording } from '../../../contract/recording.ts'
import { seriesRange } from '../../../ingest/check.ts'
import { readCheckedDays } from '../../../ingest/check-in-turn.ts'
import type { Clock } from '../../../platform/clock.ts'
import { readPipeline, readRoom, within } from '../../../platform/http/pipeline.ts'
import { selectRows } from '../../../platform/stores/clickhouse.ts'
import { describeFullDisk } from '../../../platform/stores/disk.ts'
import { one } from '../../../platform/stores/rows.ts'
import { recordedInterval } from '../../../platform/stores/slot-interval.ts'
import type { Stores } from '../../../platform/stores/stores.ts'
import { recordedIn, type TakenSnapshot } from './gaps.ts'

export interface RecordedMarket extends Stores {
  /** The name of its source; null: the site's own marketplace. */
  name: string | null
  isFirst: boolean
  isCollected: boolean
}

/** The seconds after its end in which a snapshot may still be loaded. */
const loadingSeconds = 180

/** The state of a market's recording. Parts that a store does not give in time are null. */
export async function readRecording(market: RecordedMarket, clock: Clock): Promise<MarketRecording> {
  const { postgres, clickhouse, name, isCollected } = market
  const ledger = readLedger(market)
  const [series, filling, recorded, pipeline, checked, room, backup] = await Promise.all([
    orNull(within(ledger)),
    orNull(within(readFilling(market))),
    orNull(within(ledger.then((found) => readRecorded(market, found, Math.floor(clock.now()))))),
    orNull(readPipeline(market)),
    orNull(within(seriesRange(clickhouse).then((range) => readCheckedDays({ postgres, clickhouse }, range)))),
    orNull(readRoom(market)),
    orNull(within(readBackup(market))),
  ])
  return {
    name,
    is_collected: isCollected,
    away: [...(pipeline ? [] : ['postgres' as const]), ...(series ? [] : ['clickhouse' as const])],
    series: series && {
      newest_slot: series.newest_slot || null,
      is_simulated: series.is_simulated,
      is_empty: series.is_empty,
      filling,
    },
    recorded,
    pipeline: pipeline && {
      waiting_snapshots: pipeline.spooled_slots,
      pending_rollups: pipeline.pending_rollups,
      filled_since: pipeline.filled_since,
      damages: pipeline.damages,
      source: pipeline.source && {
        failures: pipeline.source.failures,
        problem: pipeline.source.problem,
        notice: pipeline.source.notice ?? null,
      },
    },
    checked,
    disk: room ? { ...room, problem: describeFullDisk(room) ?? null } : null,
    backup,
  }
}

const orNull = <Value>(work: Promise<Value>): Promise<Value | null> => work.catch(() => null)

interface Ledger {
  /** The first and the newest snapshot, unix seconds; 0: there is none. */
  first_slot: number
  newest_slot: number
  is_simulated: boolean
  is_empty: boolean
}

const readLedger = async ({ clickhouse }: Stores): Promise<Ledger> =>
  one(await selectRows<Ledger>(clickhouse, 'health/snapshots'))

/** The finished share of a simulated history; null: no history is being generated. */
async function readFilling({ postgres }: Stores): Promise<number | null> {
  const { rows } = await postgres.query<{ share: number }>('market/filling')
  return rows[0]?.share ?? null
}

async function readRecorded(
  { postgres, clickhouse, name, isFirst }: RecordedMarket,
  { first_slot }: Ledger,
  now: number,
): Promise<MarketRecording['recorded']> {
  if (first_slot === 0) return null
  const interval = await recordedInterval(postgres)
  const to = floorTo(interval, now - loadingSeconds)
  const from = Math.max(first_slot, floorTo(interval, now - week))
  const shown = await selectRows<{ slot: number }>(clickhouse, 'health/slots', { from, to })
  const { rows: taken } = await postgres.query<TakenSnapshot>('check/snapshots', [from, to])
  const reconcile = isFirst ? 'rackrate reconcile' : `rackrate reconcile --source ${name}`
  return recordedIn(
    { from, to, interval },
    shown.map(({ slot }) => slot),
    taken,
    reconcile,
  )
}

async function readBackup({ postgres }: Stores): Promise<MarketRecording['backup']> {
  const { rows } = await postgres.query<{ name: string; at: number; bytes: number }>('health/backup')
  return { newest: rows[0] ?? null }
}
