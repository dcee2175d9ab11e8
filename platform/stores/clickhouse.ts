import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import {
  type ClickHouseClient,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client'
import { type ClusterPlace, statementText, textFor } from './sql-files.ts'
import { inSpan } from './trace-spans.ts'

/** The code of ClickHouse's errors about a database that was dropped, or never made. */
export const unknownDatabase = '81'

/**
 * The codes of ClickHouse's errors while a server of the cluster is away, or lacks what the others have: ALL_CONNECTION_TRIES_FAILED, NETWORK_ERROR,
 * SOCKET_TIMEOUT, REPLICA_IS_NOT_IN_QUORUM.
 */
export const awayServer: ReadonlySet<string> = new Set(['279', '210', '209', '289'])

/** A client, and its cluster, if it has one. */
export type ClickHouse = ClickHouseClient & { readonly place?: ClusterPlace | undefined }

export interface ClickHouseAddress {
  url: string
  username: string
  password: string
  database: string
  /** The name of the cluster that the tables are spread over. Without a cluster, `url` is the only server. */
  cluster?: string | undefined
}

/** Settings with which a cluster answers like one server. docs/cluster.md has the reasons. */
const clusterSettings: ClickHouseSettings = {
  async_insert: 0,
  distributed_foreground_insert: 1,
  parallel_distributed_insert_select: '0',
  insert_quorum: 'auto',
  insert_quorum_parallel: 0,
  insert_quorum_timeout: 60_000,
  max_insert_threads: '1',
  select_sequential_consistency: '1',
  load_balancing: 'in_order',
  prefer_localhost_replica: 0,
  use_hedged_requests: 0,
}

// Unused connections are also closed by the clock: in a process without CPU time, the timer for unused connections may fire after
// the server has closed them.
const unused = { eagerly_destroy_stale_sockets: true }

/** A client whose answers have plain JSON numbers. An unfinished SELECT ends with its HTTP request. */
export function openClickHouse(address: ClickHouseAddress): ClickHouse {
  const { cluster, database } = address
  const client = createClient({
    url: address.url,
    username: address.username,
    password: address.password,
    database,
    application: 'rackrate',
    request_timeout: 300_000,
    max_open_connections: 16,
    keep_alive: unused,
    // Callers receive each failure. The client's log would repeat it, and would list each request that is aborted at a stop.
    log: { level: ClickHouseLogLevel.OFF },
    compression: { response: false, request: false },
    clickhouse_settings: {
      output_format_json_quote_64bit_integers: 0,
      output_format_json_quote_decimals: 0,
      cancel_http_readonly_queries_on_client_close: 1,
      // FINAL merges the rows of overlapping parts with one thread. Other parts are still read by several. Most statements read
      // little, and dividing it among threads costs a third more CPU.
      max_final_threads: 1,
      ...(cluster && clusterSettings),
    },
  })
  return Object.assign(client, { place: cluster ? { cluster, database } : undefined })
}

/** The clients of the server for ad hoc SQL. */
export interface AdHocClients {
  /** The account that may only read, within limits: runs the statements. */
  analyst: ClickHouse
  /** The service's own account: reads the query log, ends queries. */
  operator: ClickHouse
}

/** The account for ad hoc SQL, and its server if that differs from the server of the series. */
export interface AnalystAccount {
  username: string
  password: string
  url?: string
}

export function openAdHoc(address: ClickHouseAddress, analyst: AnalystAccount): AdHocClients {
  const { url = address.url } = analyst
  return { analyst: openAnalyst({ ...address, ...analyst }), operator: openClickHouse({ ...address, url }) }
}

export async function closeAdHoc(clients: AdHocClients | undefined): Promise<void> {
  await clients?.analyst.close()
  await clients?.operator.close()
}

// This client sends no settings: the account is readonly and cannot change any.
const openAnalyst = ({ url, username, password, database }: ClickHouseAddress): ClickHouse =>
  createClient({
    url,
    username,
    password,
    database,
    application: 'rackrate sql',
    request_timeout: 90_000,
    max_open_connections: 16,
    keep_alive: unused,
    log: { level: ClickHouseLogLevel.OFF },
    compression: { response: false, request: false },
  })

type Parameters = Record<
  string,
  string | number | boolean | readonly string[] | readonly number[] | readonly bigint[]
>

/**
 * The rows of a query, as objects named by the SELECT. Here and below a statement is a name in sql/clickhouse/queries/, such as
 * `history/stored`, or a text.
 */
export async function selectRows<Row>(
  clickhouse: ClickHouse,
  statement: string,
  parameters: Parameters = {},
  settings: ClickHouseSettings = {},
): Promise<Row[]> {
  return traced(clickhouse, statement, parameters, async (sent) => {
    const result = await clickhouse.query({
      ...sent,
      format: 'JSONEachRow',
      clickhouse_settings: settings,
    })
    return result.json<Row>()
  })
}

/** The answer of a query as one array per column. A long answer is read faster in this form than as rows. */
export async function selectColumns<Columns>(
  clickhouse: ClickHouse,
  statement: string,
  parameters: Parameters,
  settings: ClickHouseSettings = {},
): Promise<Columns> {
  const { meta, data } = await traced(clickhouse, statement, parameters, async (sent) => {
    const result = await clickhouse.query({
      ...sent,
      format: 'JSONColumnsWithMetadata',
      clickhouse_settings: settings,
    })
    return (await result.json()) as unknown as { meta: { name: string }[]; data: Record<string, unknown[]> }
  })
  // Without rows ClickHouse leaves the columns out.
  for (const { name } of meta) data[name] ??= []
  return data as Columns
}

/**
 * The result of a query as bytes of a file format, and its number of rows. A failure comes before the first byte or not at all.
 */
export async function openExport(
  clickhouse: ClickHouse,
  statement: string,
  parameters: Parameters,
  format: string,
): Promise<{ stream: Readable; rows: number }> {
  return traced(clickhouse, statement, parameters, async ({ query, query_params }) => {
    const { stream, summary } = await clickhouse.exec({
      query: `${query}\nFORMAT ${format}`,
      query_params,
      clickhouse_settings: {
        wait_end_of_query: 1,
        date_time_output_format: 'iso',
        format_csv_null_representation: '',
        output_format_parquet_compression_method: 'zstd',
      },
    })
    return { stream, rows: Number(summary?.result_rows ?? 0) }
  })
}

interface Lines {
  lines: string
  parameters?: Parameters
  settings?: ClickHouseSettings
}

/** Sends lines of text in the format of the INSERT, as one body. Returns when all of them are stored. */
export async function insertLines(
  clickhouse: ClickHouse,
  statement: string,
  { lines, parameters = {}, settings = {} }: Lines,
): Promise<void> {
  await traced(clickhouse, statement, parameters, async (sent) => {
    const { stream } = await clickhouse.exec({
      ...sent,
      values: Readable.from([lines], { objectMode: false }),
      clickhouse_settings: { async_insert: 0, wait_end_of_query: 1, ...settings },
    })
    await finished(stream.resume())
  })
}

/** Runs a statement without a result. Returns when every replica has finished it. */
export async function execute(
  clickhouse: ClickHouse,
  statement: string,
  parameters: Parameters = {},
): Promise<void> {
  await traced(clickhouse, statement, parameters, (sent) =>
    clickhouse.command({
      ...sent,
      clickhouse_settings: { wait_end_of_query: 1, mutations_sync: '2', lightweight_deletes_sync: '2' },
    }),
  )
}

interface SentStatement {
  query: string
  query_params: Parameters
}

/**
 * Sends a statement in the form for this server or cluster, in a span, with the parameters that its text contains. A caller may
 * have one set of parameters for several statements, and ClickHouse refuses a request with any field of more than 128 kB.
 */
const traced = <T>(
  { place }: ClickHouse,
  statement: string,
  parameters: Parameters,
  work: (sent: SentStatement) => Promise<T>,
): Promise<T> => {
  const query = textFor(statementText('clickhouse', statement), place)
  const named = Object.entries(parameters).filter(([name]) => query.includes(`{${name}:`))
  return inSpan('clickhouse', query, () => work({ query, query_params: Object.fromEntries(named) }))
}
