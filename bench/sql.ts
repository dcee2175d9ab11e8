import { type AdHocClients, selectRows } from '../platform/stores/clickhouse.ts'

const turns = 200

/** Prints what `SELECT 1` takes through the API, beside what it takes straight to the engine, asked in turn. */
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
  const [through, straight] = [medianOf(api), medianOf(engine)]
  console.log(
    `SELECT 1, median ms: through the API ${through.toFixed(1)}, straight to the engine ${straight.toFixed(1)}\n` +
      `API ÷ engine    ${(through / straight).toFixed(2)}   (target: at most 2)`,
  )
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

const medianOf = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
