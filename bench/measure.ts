import { type ClickHouse, selectRows } from '../platform/stores/clickhouse.ts'

/** Figures of one row of a table, by name. */
export type Measured = Record<string, number>

export interface SeriesEnds {
  first: number
  newest: number
}

/** The first and the newest slot that readers may see. */
export async function endsOf(clickhouse: ClickHouse): Promise<SeriesEnds | undefined> {
  const query =
    'SELECT toUnixTimestamp(min(slot)) AS first, toUnixTimestamp(max(slot)) AS newest FROM slots WHERE ready'
  return (await selectRows<SeriesEnds>(clickhouse, query))[0]
}

interface Read {
  rows: number
  bytes: number
  /** Microseconds. */
  cpu: number
}

/** Rows read by statements and their CPU: all SELECTs since a time (in ClickHouse's format), or the given ids. */
export async function readOf(
  clickhouse: ClickHouse,
  { since = '1970-01-01 00:00:01', ids = [] }: { since?: string; ids?: string[] },
): Promise<Read> {
  await clickhouse.command({ query: 'SYSTEM FLUSH LOGS' })
  const [row] = await selectRows<Read>(
    clickhouse,
    `SELECT sum(read_rows) AS rows, sum(read_bytes) AS bytes,
       sum(ProfileEvents['UserTimeMicroseconds'] + ProfileEvents['SystemTimeMicroseconds']) AS cpu
     FROM system.query_log
     WHERE type = 'QueryFinish' AND query_kind = 'Select' AND event_time_microseconds > {since:DateTime64(6)}
       AND (empty({ids:Array(String)}) OR query_id IN {ids:Array(String)}) AND has(databases, currentDatabase())`,
    { since, ids },
  )
  return row ?? { rows: 0, bytes: 0, cpu: 0 }
}

/** Milliseconds that the given work takes. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Reads an answer of the service to its end. */
export async function fetchAnswer(url: string, key: string): Promise<Buffer> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
  const body = Buffer.from(await response.arrayBuffer())
  if (!response.ok) throw new Error(`${url}: ${response.status} ${body}`)
  return body
}

export const round = (value: number): number => Number(value.toPrecision(3))

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}
