import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import {
  type ClickHouseClient,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client'
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'

const tracer = trace.getTracer('rackrate')

export type ClickHouse = ClickHouseClient

export interface ClickHouseAddress {
  url: string
  username: string
  password: string
  database: string
}

/** A client whose answers are plain JSON numbers and whose unfinished SELECTs end with the request that asked. */
export function openClickHouse(address: ClickHouseAddress): ClickHouse {
  return createClient({
    url: address.url,
    username: address.username,
    password: address.password,
    database: address.database,
    application: 'rackrate',
    request_timeout: 300_000,
    max_open_connections: 16,
    log: { level: ClickHouseLogLevel.ERROR },
    compression: { response: false, request: false },
    clickhouse_settings: {
      output_format_json_quote_64bit_integers: 0,
      output_format_json_quote_decimals: 0,
      cancel_http_readonly_queries_on_client_close: 1,
    },
  })
}

/**
 * A client of the account for ad hoc SQL. It sends no settings: that account is readonly and may change none.
 */
export const openAnalyst = (address: ClickHouseAddress): ClickHouse =>
  createClient({
    ...address,
    application: 'rackrate sql',
    request_timeout: 90_000,
    max_open_connections: 16,
    log: { level: ClickHouseLogLevel.OFF },
    compression: { response: false, request: false },
  })

type Parameters = Record<string, string | number | boolean | readonly string[] | readonly number[]>

/** The rows of a query, as objects named by the SELECT. */
export async function selectRows<Row>(
  clickhouse: ClickHouse,
  query: string,
  parameters: Parameters = {},
): Promise<Row[]> {
  return traced(query, async () => {
    const result = await clickhouse.query({ query, query_params: parameters, format: 'JSONEachRow' })
    return result.json<Row>()
  })
}

/** The answer of a query as one array per column, which a long answer is read faster in than as rows. */
export async function selectColumns<Columns>(
  clickhouse: ClickHouse,
  query: string,
  parameters: Parameters,
  settings: ClickHouseSettings = {},
): Promise<Columns> {
  const { meta, data } = await traced(query, async () => {
    const result = await clickhouse.query({
      query,
      query_params: parameters,
      format: 'JSONColumnsWithMetadata',
      clickhouse_settings: settings,
    })
    return (await result.json()) as unknown as { meta: { name: string }[]; data: Record<string, unknown[]> }
  })
  // Without rows ClickHouse leaves the columns out.
  for (const { name } of meta) data[name] ??= []
  return data as Columns
}

/** Sends lines of text in the format that the INSERT names, as one body, and returns when all of them are in. */
export async function insertLines(
  clickhouse: ClickHouse,
  query: string,
  parameters: Parameters,
  lines: string,
  settings: ClickHouseSettings = {},
): Promise<void> {
  await traced(query, async () => {
    const { stream } = await clickhouse.exec({
      query,
      query_params: parameters,
      values: Readable.from([lines], { objectMode: false }),
      clickhouse_settings: { async_insert: 0, wait_end_of_query: 1, ...settings },
    })
    await finished(stream.resume())
  })
}

/** Runs a statement that answers nothing, and returns when ClickHouse is done with it. */
export async function execute(
  clickhouse: ClickHouse,
  query: string,
  parameters: Parameters = {},
): Promise<void> {
  await traced(query, () =>
    clickhouse.command({
      query,
      query_params: parameters,
      clickhouse_settings: { wait_end_of_query: 1, mutations_sync: '1', lightweight_deletes_sync: '1' },
    }),
  )
}

/** A span around a statement, for who traces; values are parameters and not in its text. */
const traced = <T>(query: string, work: () => Promise<T>): Promise<T> =>
  tracer.startActiveSpan(
    'clickhouse',
    { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'clickhouse', 'db.query.text': query } },
    async (span) => {
      try {
        return await work()
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).message })
        throw error
      } finally {
        span.end()
      }
    },
  )
