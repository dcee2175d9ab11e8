import { setTimeout as pause } from 'node:timers/promises'
import { type AdHocClients, type ClickHouseAddress, selectRows } from '../platform/stores/clickhouse.ts'
import { fetchAnswer, quantile, timeOf } from './measure.ts'

const turns = 200

interface SqlServers {
  /** The API, and the key of an admin. */
  url: string
  key: string
  clients: AdHocClients
  /** The engine of the series, and its account. */
  engine: ClickHouseAddress
}

/** Prints the time of `SELECT 1` through the API, by the client straight to the engine, and by bare HTTP to it, alternating. */
export async function measureSql({ url, key, clients, engine }: SqlServers): Promise<void> {
  const ask = async () => {
    await post(`${url}/api/v0/metrics/sql`, `Bearer ${key}`, JSON.stringify({ query: 'SELECT 1' }))
  }
  const basic = Buffer.from(`${engine.username}:${engine.password}`).toString('base64')
  const ways: [string, () => Promise<unknown>][] = [
    ['API', ask],
    ['client', () => selectRows(clients.analyst, 'SELECT 1')],
    ['HTTP', () => post(`${engine.url}/?database=${engine.database}`, `Basic ${basic}`, 'SELECT 1')],
  ]
  for (const [, way] of ways) for (let turn = 0; turn < 20; turn += 1) await way()
  const times = new Map(ways.map(([name]) => [name, [] as number[]]))
  for (let turn = 0; turn < turns; turn += 1)
    for (const [name, way] of ways) times.get(name)?.push(await timeOf(way))
  const median = (name: string) => quantile(times.get(name) ?? [], 0.5)
  const [through, client, bare] = [median('API'), median('client'), median('HTTP')]
  console.log(
    `SELECT 1, median ms: through the API ${through.toFixed(1)}, by the client straight to the engine ${client.toFixed(1)}, by bare HTTP to the engine of the series ${bare.toFixed(1)}\n` +
      `API ÷ client    ${(through / client).toFixed(2)}   (target: at most 2)\n` +
      `API ÷ HTTP      ${(through / bare).toFixed(2)}   (target: at most 4)`,
  )
}

async function post(url: string, authorization: string, body: string): Promise<void> {
  const headers = { authorization, 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`SELECT 1: ${response.status}`)
}

// Each ends at a limit: of memory, which the operating system sets, of rows, or of time.
const heavy = [
  'SELECT length(polygonsUnionCartesian([[arrayMap(i -> (randCanonical(i), randCanonical(i + 1)), range(20000))]], [[arrayMap(i -> (randCanonical(i + 2), randCanonical(i + 3)), range(20000))]]))',
  'SELECT sum(length(h3kRing(644325529233966508, toUInt16(1000 + number)))) FROM numbers(1000)',
  'SELECT count() FROM (SELECT groupArray(number) FROM numbers_mt(4000000000))',
  'SELECT count() FROM numbers(4000000000) WHERE sipHash64(number) = 1',
]
const reads = 200

/** Prints the latency of new history requests, without other load and while heavy ad hoc SQL runs. */
export async function measureHistoryBesideSql(url: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  let end = Math.floor(Date.now() / 1000)
  const read = () => {
    end -= 1
    return fetchAnswer(`${url}/api/v0/metrics/gpu/history?gpu_name=RTX+4090&step=3600&end=${end}`, key)
  }
  const measure = async () => {
    const times: number[] = []
    for (let turn = 0; turn < reads; turn += 1) {
      times.push(await timeOf(read))
      await pause(100)
    }
    return times
  }
  await measure() // caches
  const idle = await measure()
  const state = { isOver: false, statements: 0 }
  const asking = (async () => {
    while (!state.isOver) {
      const body = JSON.stringify({ query: heavy[state.statements % heavy.length] })
      await fetch(`${url}/api/v0/metrics/sql`, { method: 'POST', headers, body }).then((response) =>
        response.text(),
      )
      state.statements += 1
    }
  })()
  const beside = await measure()
  state.isOver = true
  await asking
  const p50 = (times: number[]) => quantile(times, 0.5)
  const p99 = (times: number[]) => quantile(times, 0.99)
  console.log(
    `history beside ${state.statements} heavy statements, ms: p50 ${p50(beside).toFixed(1)} (idle ${p50(idle).toFixed(1)}), p99 ${p99(beside).toFixed(1)} (idle ${p99(idle).toFixed(1)})\n` +
      `p99 ÷ idle      ${(p99(beside) / p99(idle)).toFixed(2)}   (target: at most 3)`,
  )
}
