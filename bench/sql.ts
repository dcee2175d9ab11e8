import { setTimeout as pause } from 'node:timers/promises'
import { type AdHocClients, selectRows } from '../platform/stores/clickhouse.ts'
import { fetchAnswer, quantile, timeOf } from './measure.ts'

const turns = 200

/** Prints the time of `SELECT 1` through the API and directly to the engine, alternating. */
export async function measureSql(url: string, key: string, { analyst }: AdHocClients): Promise<void> {
  const ask = async () => {
    const response = await fetch(`${url}/api/v0/metrics/sql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'SELECT 1' }),
    })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`SELECT 1: ${response.status}`)
  }
  const askEngine = () => selectRows(analyst, 'SELECT 1')
  for (const warmUp of [ask, askEngine]) for (let turn = 0; turn < 20; turn += 1) await warmUp()
  const [api, engine]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < turns; turn += 1) {
    api.push(await timeOf(ask))
    engine.push(await timeOf(askEngine))
  }
  const [through, straight] = [quantile(api, 0.5), quantile(engine, 0.5)]
  console.log(
    `SELECT 1, median ms: through the API ${through.toFixed(1)}, straight to the engine ${straight.toFixed(1)}\n` +
      `API ÷ engine    ${(through / straight).toFixed(2)}   (target: at most 2)`,
  )
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
