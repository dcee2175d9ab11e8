import { coverageNotice, type MarketCoverage } from '../../contract/sources.ts'
import type { Clock } from '../clock.ts'
import { selectRows } from '../stores/clickhouse.ts'
import { type DiskRoom, describeFullDisk, readDiskRoom } from '../stores/disk.ts'
import { one } from '../stores/rows.ts'
import type { Stores } from '../stores/stores.ts'

/** The state of the pipeline, as PostgreSQL has it. */
interface Pipeline {
  /** True if the site takes snapshots. */
  takes_snapshots: boolean
  spooled_slots: number
  pending_rollups: number
  /** Derived rows before this time (unix seconds) are still to be computed after an upgrade; 0: all are. */
  filled_since: number
  /** Broken parts of tables whose rows are to be computed again. */
  broken_parts: number
  /** Ranges whose rows are lost. */
  lost_ranges: number
  /** Damages of the series that are unmended, or were mended in the last day. */
  damages: { problem: string; mended: boolean }[]
  source: SourceState | null
}

/** The state of a market's source. Its newest slot is null before the first one. */
interface SourceState {
  /** Requests since the last good one. */
  failures: number
  problem: string | null
  newest_slot: number | null
  /** The share of the market that its newest slot has; null: the source does not know it. */
  coverage: Pick<MarketCoverage, 'share' | 'low' | 'high' | 'age' | 'problem' | 'official'> | null
  /** A sentence; absent: the slot has enough of the market. */
  notice?: string
}

const timeoutMs = 3000
// A load balancer takes a process out that misses it. A pool that is busy for seconds must not take all processes out together.
const balancedTimeoutMs = 8000

export const readPipeline = ({ postgres }: Stores): Promise<Pipeline> =>
  within(postgres.query<Pipeline>('health/pipeline').then(({ rows }) => withNotice(one(rows))))

/** Adds a sentence where the newest slot has too little of its market. */
function withNotice({ source, ...pipeline }: Pipeline): Pipeline {
  const notice = source?.coverage && coverageNotice(source.coverage)
  return { ...pipeline, source: source && { ...source, ...(notice && { notice }) } }
}

/** Resolves when PostgreSQL answers. */
export const reachPostgres = ({ postgres }: Stores): Promise<unknown> =>
  within(postgres.query('SELECT 1'), balancedTimeoutMs)

/** The newest slot that answers show, unix seconds; 0 before the first one. */
export const readNewestSlot = ({ clickhouse }: Stores): Promise<number> =>
  within(
    selectRows<{ slot: number }>(
      clickhouse,
      'SELECT toUnixTimestamp(max(slot)) AS slot FROM slots WHERE ready',
    ).then(([row]) => row?.slot ?? 0),
  )

/** The room on ClickHouse's disk; undefined: the tables are on no local disk. */
export const readRoom = ({ clickhouse }: Stores): Promise<DiskRoom | undefined> =>
  within(readDiskRoom(clickhouse))

/** Sentences for readers about a full disk and about damages of the series. */
export async function readNotices(stores: Stores): Promise<string[]> {
  const [disk, { broken_parts, lost_ranges }] = await Promise.all([
    // Where the disk cannot be read, /readyz and the log report ClickHouse.
    readRoom(stores).catch(() => undefined),
    readPipeline(stores),
  ])
  return [
    ...(describeFullDisk(disk) ? [fullDiskNotice] : []),
    ...(broken_parts > 0 ? [brokenNotice] : []),
    ...(lost_ranges > 0 ? [lostNotice] : []),
  ]
}

const fullDiskNotice =
  'The disk of this service is nearly full. Snapshots are kept, and appear here once there is room. Figures stay as they are.'
const brokenNotice =
  'Stored figures were found damaged, and are computed again. Charts may have gaps until then.'
const lostNotice = 'Stored figures are lost until the operator restores a backup. Charts may have gaps.'

/** The age of a slot in seconds. */
export const lagOf = (slot: number, clock: Clock): number => Math.max(0, Math.floor(clock.now()) - slot)

/** The result of `work`, or an error once the time is over. */
export async function within<T>(work: Promise<T>, limitMs = timeoutMs): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(Object.assign(new Error('no answer in time'), { code: 'timeout' })),
      limitMs,
    )
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
