import { ladder, wholeBuckets } from '../contract/ladder.ts'
import { type ClickHouse, selectColumns, selectRows } from '../platform/stores/clickhouse.ts'
import { loadSql } from '../platform/stores/sql-files.ts'
import { endsOf, fetchAnswer, type Measured, quantile, readOf, round, timeOf } from './measure.ts'

export interface QueriesOptions {
  clickhouse: ClickHouse
  url: string
  key: string
  /** Repetitions of each request. */
  repeat: number
  interval: number
}

interface Question {
  name: string
  names: string[] | 'all'
  days: number
  step: number
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

/**
 * Prints for each request: its latency over HTTP, new and repeated, the rows that ClickHouse read, and two ratios: to the bare statement
 * that reads the stored rows, and of raw observations to it.
 */
export async function measureQueries(options: QueriesOptions): Promise<Record<string, Measured>> {
  const { clickhouse, interval } = options
  const ends = await endsOf(clickhouse)
  const rows: Record<string, Measured> = {}
  if (!ends) return rows
  for (const question of questionsFor(interval)) {
    // A history that is shorter than the requested range by more than a day does not count.
    if (question.days * 86_400 > ends.newest - ends.first + 86_400) {
      console.log(`left out, the market is not that old: ${question.name}`)
      continue
    }
    rows[question.name] = await measure(options, question, ends.newest)
  }
  console.table(rows)
  console.log(
    'cold: the first request in its slot. repeated: the same again. bare: the statement that reads its stored rows, alone.\n' +
      'raw: the same answer by its definition, slot_rows, which reads observations, in ClickHouse alone.\n' +
      'Targets: cold ÷ bare at most 1.5, since these end at other slots than the newest. raw ÷ cold off the ladder at least 5 for whole hours and 2 for others, at 4,000 machines.',
  )
  return rows
}

async function measure({ clickhouse, url, key, repeat }: QueriesOptions, question: Question, newest: number) {
  const gpuName = question.names === 'all' ? 'all' : question.names.join(',')
  // Each new request ends a bucket earlier than the one before, so that it is not cached.
  const end = (turn: number) => (Math.floor(newest / question.step) - turn) * question.step
  const fetchAt = (until: number): Promise<number> => {
    const query = new URLSearchParams({
      gpu_name: gpuName,
      verified: 'all',
      step: `${question.step}`,
      start: `${until - question.days * 86_400}`,
      end: `${until}`,
    })
    return timeOf(() => fetchAnswer(`${url}/api/v0/metrics/gpu/history?${query}`, key))
  }
  await fetchAt(end(coldQuestions)) // warms connections, code and pages of the table; the answer stays unknown
  const since = await now(clickhouse)
  const cold: number[] = []
  const cpu = process.cpuUsage()
  for (let turn = 0; turn < coldQuestions; turn += 1) cold.push(await fetchAt(end(turn)))
  const { user, system } = process.cpuUsage(cpu)
  const read = await readOf(clickhouse, { since })
  const isStored = (ladder as readonly number[]).includes(question.step)
  const parameters = await parametersOf(clickhouse, question)
  const bare: number[] = []
  const close: number[] = []
  for (let turn = 0; isStored && turn < coldQuestions; turn += 1) {
    // Each statement runs beside a new one at the same time, because the load of the machine changes.
    bare.push(await bareStatement(clickhouse, parameters, range(question, end(turn))))
    close.push(await fetchAt(end(turn + coldQuestions + 1)))
  }
  const repeated: number[] = []
  for (let turn = 0; turn < repeat * 10; turn += 1) repeated.push(await fetchAt(end(0)))
  const raw: number[] = []
  for (let turn = 0; turn < 3; turn += 1)
    raw.push(await fromRaw(clickhouse, parameters, range(question, end(turn))))
  const turns = cold.length
  return {
    'cold p50 ms': round(quantile(cold, 0.5)),
    'cold p95 ms': round(quantile(cold, 0.95)),
    'repeated p50 ms': round(quantile(repeated, 0.5)),
    'repeated p95 ms': round(quantile(repeated, 0.95)),
    'ClickHouse CPU ms': round(read.cpu / turns / 1000),
    'process CPU ms': round((user + system) / turns / 1000),
    'rows read': Math.round(read.rows / turns),
    'kB read': Math.round(read.bytes / turns / 1000),
    ...(isStored && {
      'bare ms': round(quantile(bare, 0.5)),
      'cold ÷ bare': round(quantile(close, 0.5) / quantile(bare, 0.5)),
    }),
    'raw ms': round(quantile(raw, 0.5)),
    'raw ÷ cold': round(quantile(raw, 0.5) / quantile(cold, 0.5)),
  }
}

type Range = { from: number; to: number }

const range = ({ days, step }: Question, until: number): Range =>
  wholeBuckets(step, { from: until - days * 86_400, to: until })

async function parametersOf(clickhouse: ClickHouse, { names, step }: Question) {
  const all = await selectRows<{ name: string }>(clickhouse, 'names/list', { before: 2 ** 32 - 1 })
  return {
    names: names === 'all' ? all.map(({ name }) => name) : names,
    verified: 'all',
    hosting_type: 'all',
    num_gpus: 0,
    gpu_memory: 0,
    step,
  }
}

type QueryParameters = Awaited<ReturnType<typeof parametersOf>>

/** The client's time for the statement that reads the stored rows, ignoring the result. */
const bareStatement = (
  clickhouse: ClickHouse,
  { step, ...filter }: QueryParameters,
  of: Range,
): Promise<number> =>
  timeOf(async () => {
    const answer = await clickhouse.query({
      query: loadSql('clickhouse/queries/history/stored'),
      query_params: { ...filter, stored_step: step, ...of, last: of.to - step },
      format: 'JSONColumnsWithMetadata',
    })
    return answer.text()
  })

const fromRaw = (clickhouse: ClickHouse, parameters: QueryParameters, of: Range): Promise<number> =>
  timeOf(() =>
    selectColumns(
      clickhouse,
      `SELECT * EXCEPT (step, verified, hosting_type, num_gpus, gpu_memory, only_memory, bucket, tflops, dlperf), toUnixTimestamp(bucket) AS start
     FROM slot_rows(steps = [{step:UInt32}], from = {from:UInt32}, to = {to:UInt32})
     WHERE verified = {verified:String} AND hosting_type = {hosting_type:String} AND num_gpus = {num_gpus:UInt16}
       AND gpu_memory = {gpu_memory:UInt16} AND gpu_name IN {names:Array(String)}`,
      { ...parameters, ...of },
    ),
  )

async function now(clickhouse: ClickHouse): Promise<string> {
  const [row] = await selectRows<{ now: string }>(clickhouse, 'SELECT toString(now64(6)) AS now')
  return row?.now ?? ''
}
