import { type ClickHouse, selectColumns, selectRows } from '../platform/stores/clickhouse.ts'
import { loadSql } from '../platform/stores/sql-files.ts'

export interface QueriesOptions {
  clickhouse: ClickHouse
  url: string
  key: string
  /** How often each is asked. */
  repeat: number
  interval: number
}

interface Question {
  name: string
  names: string[] | 'all'
  days: number
  step: number
}

interface SeriesEnds {
  first: number
  newest: number
}

const coldQuestions = 20
const three = ['RTX 5090', 'RTX 4090', 'RTX 3090']

const questionsFor = (interval: number): Question[] => [
  { name: '3 GPUs × 1 day × slot', names: three, days: 1, step: interval },
  { name: '3 GPUs × 7 days × 1 h', names: three, days: 7, step: 3600 },
  { name: '3 GPUs × 90 days × 1 h', names: three, days: 90, step: 3600 },
  { name: 'all GPUs × 30 days × 1 day', names: 'all', days: 30, step: 86_400 },
  { name: '3 GPUs × 7 days × 2 h (off the ladder, whole hours)', names: three, days: 7, step: 7200 },
  { name: '3 GPUs × 1 day × 7 min (off the ladder)', names: three, days: 1, step: 420 },
]

/** Prints, per question: latency over HTTP cold and repeated, what ClickHouse read, and how many times longer raw observations take. */
export async function measureQueries(options: QueriesOptions): Promise<void> {
  const { clickhouse, interval } = options
  const [ends] = await selectRows<SeriesEnds>(
    clickhouse,
    'SELECT toUnixTimestamp(min(slot)) AS first, toUnixTimestamp(max(slot)) AS newest FROM slots WHERE ready',
  )
  if (!ends) return
  const rows = []
  for (const question of questionsFor(interval)) {
    // A history shorter than the question by more than a day isn't an answer to it.
    if (question.days * 86_400 > ends.newest - ends.first + 86_400) {
      console.log(`left out, the market is not that old: ${question.name}`)
      continue
    }
    rows.push(await measure(options, question, ends.newest))
  }
  console.table(Object.fromEntries(rows.map(({ name, ...figures }) => [name, figures])))
  console.log(
    'cold: asked for the first time in its slot. repeated: asked again. raw: the same answer pooled from observations, in ClickHouse alone.',
  )
}

async function measure({ clickhouse, url, key, repeat }: QueriesOptions, question: Question, newest: number) {
  const gpuName = question.names === 'all' ? 'all' : question.names.join(',')
  // Each cold question ends a bucket earlier than the one before, which makes it another one.
  const end = (turn: number) => (Math.floor(newest / question.step) - turn) * question.step
  const fetchAt = async (until: number): Promise<number> => {
    const query = new URLSearchParams({
      gpu_name: gpuName,
      verified: 'all',
      step: `${question.step}`,
      start: `${until - question.days * 86_400}`,
      end: `${until}`,
    })
    const started = performance.now()
    const response = await fetch(`${url}/api/v0/metrics/gpu/history?${query}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${question.name}: ${response.status}`)
    return performance.now() - started
  }
  await fetchAt(end(coldQuestions)) // connections, code and pages of the table are warm; the answer isn't known
  const mark = await now(clickhouse)
  const cold: number[] = []
  for (let turn = 0; turn < coldQuestions; turn += 1) cold.push(await fetchAt(end(turn)))
  const read = await readSince(clickhouse, mark)
  const repeated: number[] = []
  for (let turn = 0; turn < repeat * 10; turn += 1) repeated.push(await fetchAt(end(0)))
  const raw: number[] = []
  for (let turn = 0; turn < 3; turn += 1) raw.push(await fromRaw(clickhouse, question, end(turn)))
  return {
    name: question.name,
    'cold p50 ms': round(quantile(cold, 0.5)),
    'cold p95 ms': round(quantile(cold, 0.95)),
    'repeated p50 ms': round(quantile(repeated, 0.5)),
    'repeated p95 ms': round(quantile(repeated, 0.95)),
    'rows read': Math.round(read.rows / cold.length),
    'kB read': Math.round(read.bytes / cold.length / 1000),
    'raw ms': round(quantile(raw, 0.5)),
    'raw ÷ cold': round(quantile(raw, 0.5) / quantile(cold, 0.5)),
  }
}

async function fromRaw(
  clickhouse: ClickHouse,
  { names, days, step }: Question,
  until: number,
): Promise<number> {
  const all = async () =>
    (await selectRows<{ gpu_name: string }>(clickhouse, 'SELECT DISTINCT gpu_name FROM observations')).map(
      (row) => row.gpu_name,
    )
  const parameters = {
    names: names === 'all' ? await all() : names,
    verified: 'all',
    hosting_type: 'all',
    num_gpus: 0,
    step,
    from: Math.floor((until - days * 86_400) / step) * step,
    to: Math.ceil(until / step) * step,
    hourly: false,
  }
  const started = performance.now()
  await selectColumns(clickhouse, loadSql('clickhouse/queries/history/computed'), parameters)
  return performance.now() - started
}

async function now(clickhouse: ClickHouse): Promise<string> {
  const [row] = await selectRows<{ now: string }>(clickhouse, 'SELECT toString(now64(6)) AS now')
  return row?.now ?? ''
}

async function readSince(clickhouse: ClickHouse, mark: string): Promise<{ rows: number; bytes: number }> {
  await clickhouse.command({ query: 'SYSTEM FLUSH LOGS' })
  const [row] = await selectRows<{ rows: number; bytes: number }>(
    clickhouse,
    `SELECT sum(read_rows) AS rows, sum(read_bytes) AS bytes FROM system.query_log
     WHERE type = 'QueryFinish' AND query_kind = 'Select' AND event_time_microseconds > {mark:DateTime64(6)}
       AND has(databases, currentDatabase())`,
    { mark },
  )
  return row ?? { rows: 0, bytes: 0 }
}

const round = (value: number): number => Number(value.toPrecision(3))

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}
