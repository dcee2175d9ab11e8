import { createWriteStream } from 'node:fs'
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { Range } from '../ingest/ranges.ts'
import type { ClickHouse } from '../platform/stores/clickhouse.ts'
import type { Postgres } from '../platform/stores/postgres.ts'
import { endsOf, fetchAnswer, type Measured, quantile, round } from './measure.ts'
import { type Question, questions, type Row, rangeBefore } from './peer-questions.ts'
import { type Market, serve } from './simulated-market.ts'

/** A program that answers the questions from the same observations. */
interface Peer {
  name: string
  /** Number of repetitions: few for slow programs, so that the benchmark ends. */
  repeat: number
  /** Reads an answer to its end, which is what is measured, and returns the function that makes its rows. */
  answer(question: Question, range: Range): Promise<() => Row[]>
}

/**
 * Sends the same questions to the service, to ClickHouse over the observations, and to DuckDB and PostgreSQL with the same observations, and
 * prints the median times. Throws where two of them disagree about a figure.
 */
export async function measurePeers(market: Market, repeat: number): Promise<Record<string, Measured>> {
  const dir = await mkdtemp(join(tmpdir(), 'rackrate-peers-'))
  const instance = await DuckDBInstance.create(join(dir, 'observations.duckdb'))
  const duck = await instance.connect()
  try {
    await chmod(dir, 0o755) // The PostgreSQL server reads a file in it.
    const parquet = join(dir, 'observations.parquet')
    await writeParquet(market.clickhouse, parquet)
    await fillDuckDb(duck, parquet)
    await fillPostgres(market.postgres, duck, join(dir, 'observations.csv'))
    await printSizes(market, { parquet, duck: join(dir, 'observations.duckdb') })
    return await serve(market, (served) =>
      compare(market, [
        servicePeer('rackrate, a new answer', served, repeat),
        servicePeer('rackrate, the same again', served, repeat),
        clickHousePeer(market.clickhouse, repeat),
        duckPeer('DuckDB, its own table', { duck, from: 'observations', repeat }),
        duckPeer('DuckDB on Parquet', { duck, from: `'${parquet}'`, repeat }),
        postgresPeer(market.postgres, Math.min(3, repeat)),
      ]),
    )
  } finally {
    duck.closeSync()
    instance.closeSync()
    await rm(dir, { recursive: true, force: true })
  }
}

async function compare({ clickhouse, size }: Market, peers: readonly Peer[]) {
  const ends = await endsOf(clickhouse)
  if (!ends) throw new Error('the market has no slot')
  const table: Record<string, Measured> = {}
  for (const question of questions(size)) {
    const times = new Map<string, number[]>(peers.map(({ name }) => [name, []]))
    let agreed = 0
    for (let turn = 0; turn < Math.max(...peers.map((peer) => peer.repeat)); turn += 1) {
      // Each new question ends an hour earlier than the one before, so no answer is cached.
      const range = rangeBefore(ends.newest, { days: question.days, turn })
      const answers: Row[][] = []
      for (const peer of peers) {
        if (turn >= peer.repeat) continue
        const started = performance.now()
        const rowsOf = await peer.answer(question, range)
        times.get(peer.name)?.push(performance.now() - started)
        answers.push(rowsOf())
      }
      agreed += countAgreed(question.name, answers)
    }
    const medians = [...times].map(([name, all]) => ({ name, ms: quantile(all, 0.5) }))
    const ours = medians[0]?.ms ?? Number.NaN
    for (const { name, ms } of medians)
      table[`${question.name}: ${name}`] = { ms: round(ms), '÷ ours': round(ms / ours) }
    console.log(`${question.name}: all answers agree, ${agreed.toLocaleString('en')} figures`)
  }
  console.table(table)
  return table
}

/** The number of figures on which all answers agree. Throws if one differs. */
function countAgreed(question: string, [first = [], ...others]: readonly Row[][]): number {
  for (const rows of others) {
    const differs = (index: number) => JSON.stringify(first[index]) !== JSON.stringify(rows[index])
    const index = [...(first.length > rows.length ? first : rows).keys()].find(differs)
    if (index !== undefined)
      throw new Error(
        `${question}: ${JSON.stringify(first[index])} of ${first.length} rows differs from ${JSON.stringify(rows[index])} of ${rows.length}`,
      )
  }
  return first.reduce((sum, row) => sum + row.length - 2, 0)
}

const servicePeer = (name: string, { url, key }: { url: string; key: string }, repeat: number): Peer => ({
  name,
  repeat,
  async answer(question, range) {
    const query = new URLSearchParams({ ...question.query, start: `${range.from}`, end: `${range.to}` })
    const body: unknown = JSON.parse(
      `${await fetchAnswer(`${url}/api/v0/metrics/gpu/${question.path}?${query}`, key)}`,
    )
    return () => question.rowsOf(body)
  },
})

const clickHousePeer = (clickhouse: ClickHouse, repeat: number): Peer => ({
  name: 'ClickHouse over observations',
  repeat,
  async answer(question, range) {
    const result = await clickhouse.query({
      query: question.statement(range, { from: 'observations', slot: 'toUnixTimestamp(slot)' }),
      format: 'JSONCompactEachRow',
    })
    const rows = await result.json<unknown[]>()
    return () => rows.map(rowOf)
  },
})

const duckPeer = (
  name: string,
  { duck, from, repeat }: { duck: DuckDBConnection; from: string; repeat: number },
): Peer => ({
  name,
  repeat,
  async answer(question, range) {
    const result = await duck.runAndReadAll(question.statement(range, { from, slot: 'slot' }))
    const rows = result.getRowsJson()
    return () => rows.map(rowOf)
  },
})

const postgresPeer = (postgres: Postgres, repeat: number): Peer => ({
  name: 'PostgreSQL with a covering index',
  repeat,
  async answer(question, range) {
    const { rows } = await postgres.query<Record<string, unknown>>(
      question.statement(range, { from: 'peer_observations', slot: 'slot' }),
    )
    return () => rows.map((row) => rowOf(Object.values(row)))
  },
})

/** A row with numbers where engines answer texts. */
const rowOf = ([name, ...figures]: readonly unknown[]): Row => [
  String(name),
  ...figures.map((figure) => (figure === null ? null : Number(figure))),
]

async function writeParquet(clickhouse: ClickHouse, file: string): Promise<void> {
  const { stream } = await clickhouse.exec({
    query: `SELECT toUnixTimestamp(slot) AS slot, toString(gpu_name) AS gpu_name, rented, price, gpus
      FROM observations ORDER BY gpu_name, slot FORMAT Parquet`,
  })
  await pipeline(stream, createWriteStream(file))
}

async function fillDuckDb(duck: DuckDBConnection, parquet: string): Promise<void> {
  await duck.run(`CREATE TABLE observations AS SELECT * FROM '${parquet}' ORDER BY gpu_name, slot`)
  await duck.run('CHECKPOINT')
}

async function fillPostgres(postgres: Postgres, duck: DuckDBConnection, csv: string): Promise<void> {
  await duck.run(`COPY observations TO '${csv}' (HEADER false)`)
  await postgres.query(
    'CREATE UNLOGGED TABLE peer_observations (slot bigint, gpu_name text, rented bool, price numeric, gpus int)',
  )
  await postgres.query(`COPY peer_observations FROM '${csv}' (FORMAT csv)`)
  await postgres.query(
    'CREATE INDEX ON peer_observations (gpu_name, slot) INCLUDE (rented, price, gpus) WITH (fillfactor = 100)',
  )
  await postgres.query('VACUUM ANALYZE peer_observations')
}

async function printSizes({ postgres }: Market, files: { parquet: string; duck: string }): Promise<void> {
  const { rows } = await postgres.query<{ bytes: number }>(
    "SELECT pg_total_relation_size('peer_observations')::float8 AS bytes",
  )
  const megabytes = (bytes: number) => `${round(bytes / 1e6).toLocaleString('en')} MB`
  console.log(`Parquet                           ${megabytes((await stat(files.parquet)).size)}`)
  console.log(`DuckDB                            ${megabytes((await stat(files.duck)).size)}`)
  console.log(`PostgreSQL with its index         ${megabytes(rows[0]?.bytes ?? Number.NaN)}`)
}
