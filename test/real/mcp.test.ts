import { createRequire } from 'node:module'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeChanges } from '../../ingest/list-prices.ts'
import { loadAll } from '../../ingest/load.ts'
import { publishDays } from '../../ingest/publish-days.ts'
import { createKey } from '../../platform/security/api-keys.ts'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { connectAssistant } from '../assistant.ts'
import { smallMarket } from '../market.ts'
import type { MachineAtSlot } from '../oracle/history.ts'
import { spool } from '../random-market.ts'
import { startServer, type TestServer } from '../server.ts'

// Three slots of two types, small enough to know every answer by heart.
const hour = 1_749_999_600
const slots = [hour, hour + 1800, hour + 3600] as const
const l4 = { gpu: 'L4', verified: true, hosting: 'community' as const, tflops: 30, dlperf: 60 }
const a100 = { gpu: 'A100', verified: false, hosting: 'secure_cloud' as const, tflops: 150, dlperf: 300 }
const seen: MachineAtSlot[] = [
  { ...l4, slot: slots[0], machine: 1, rig: 4, free: 1, price: 2.4, rented: [{ gpus: 3, price: 2 }] },
  { ...l4, slot: slots[0], machine: 2, rig: 8, free: 8, price: 3, rented: [] },
  { ...a100, slot: slots[0], machine: 3, rig: 16, free: 16, price: 1.5, rented: [] },
  { ...l4, slot: slots[1], machine: 1, rig: 4, free: 2, price: 2.4, rented: [{ gpus: 2, price: 2 }] },
  { ...l4, slot: slots[1], machine: 2, rig: 8, free: 8, price: 3, rented: [] },
  { ...a100, slot: slots[1], machine: 3, rig: 16, free: 0, price: 1.5, rented: [{ gpus: 16, price: 1.4 }] },
  { ...l4, slot: slots[2], machine: 1, rig: 4, free: 4, price: 2.2, rented: [] },
  { ...l4, slot: slots[2], machine: 2, rig: 8, free: 8, price: 3, rented: [] },
  { ...a100, slot: slots[2], machine: 3, rig: 16, free: 4, price: 1.6, rented: [{ gpus: 12, price: 1.4 }] },
]

let server: TestServer
let base: string
let hostKey: string
let assistant: Client

const connect = (key: string) => connectAssistant(base, key)

beforeAll(async () => {
  server = await startServer({ seriesMaxAgeMs: 0, snapshotInterval: 1800 })
  await server.postgres.query('UPDATE slot_interval SET seconds = 1800')
  for (const slot of slots) {
    await spool(
      server.postgres,
      slot,
      seen.filter((one) => one.slot === slot),
    )
    await loadAll(server)
  }
  await publishDays(server)
  await smallMarket(server.postgres, 12)
  hostKey = (await createKey(server.postgres, { accountId: 1001 })).key
  base = await server.app.listen({ host: '127.0.0.1', port: 0 })
  assistant = await connect(hostKey)
})
afterAll(async () => {
  await assistant?.close()
  await server?.close()
})

interface ToolAnswer {
  source: string
  snapshot: string
  age_seconds: number
  simulated: boolean
  definitions: Record<string, { unit: string; definition: string }>
  data: never
  note?: string
}

async function ask(client: Client, name: string, args: object) {
  const { content, isError = false } = await client.callTool({
    name,
    arguments: args as Record<string, unknown>,
  })
  const [first] = content as { text: string }[]
  return { text: first?.text ?? '', isError }
}
const answered = async (name: string, args: object): Promise<ToolAnswer> => {
  const { text, isError } = await ask(assistant, name, args)
  expect(isError, text).toBe(false)
  return JSON.parse(text)
}

type Any = ReturnType<typeof JSON.parse>
type Question = [
  question: string,
  tool: string,
  args: object,
  told: (data: Any) => unknown,
  endpoint: (body: Any) => unknown,
  known: unknown,
]

const iso = (slot: number) => new Date(slot * 1000).toISOString().replace('.000', '')
const L4 = { gpu_name: ['L4'], verified: 'all' }
const A100 = { gpu_name: 'a100', verified: 'all' }
const range = { start: hour, end: hour + 7199, step: 3600 }
const firstHour = { start: iso(hour), end: iso(hour + 3599), step: 3600 }
const h = (gpu: string, field: string, which: string) => (data: Any) =>
  data.gpus[gpu].summary[field]?.[which]?.value ?? null
const price = (gpu: string, field: string, index: number) => (body: Any) =>
  body.gpus[gpu].pricing[field][index]
const count = (gpu: string, field: string, index: number) => (body: Any) =>
  body.gpus[gpu].supply_demand[field][index]
const earned = (gpu: string, field: string, index: number) => (body: Any) => body.gpus[gpu][field][index]
const now = (gpu: string, field: string) => (data: Any) =>
  data.gpus.find((row: Any) => row.gpu_name === gpu)?.[field]
const current = (question: string, gpu: string, field: string, known: unknown): Question => [
  question,
  'current_market',
  { verified: 'all' },
  now(gpu, field),
  now(gpu, field),
  known,
]
const book = (gpu: string) => (data: Any) => data.gpus[gpu]
const sum = (counts: number[]) => counts.reduce((total, one) => total + one, 0)
const history = (
  question: string,
  args: object,
  told: Question[3],
  endpoint: Question[4],
  known: unknown,
): Question => [question, 'price_history', { ...range, ...args }, told, endpoint, known]
const money = (
  question: string,
  args: object,
  told: Question[3],
  endpoint: Question[4],
  known: unknown,
): Question => [question, 'revenue', { ...range, ...args }, told, endpoint, known]

const questions: Question[] = [
  [
    'Which types are there?',
    'gpu_types',
    {},
    (d) => d.gpu_types.map((t: Any) => t.name).sort(),
    (b) => b.names.map((t: Any) => t.name).sort(),
    ['A100', 'L4'],
  ],
  [
    'Is there an A100?',
    'gpu_types',
    { contains: 'a10' },
    (d) => d.gpu_types.length,
    (b) => b.names.filter((t: Any) => t.name === 'A100').length,
    1,
  ],
  [
    'How many L4 machines?',
    'gpu_types',
    { contains: 'L4' },
    (d) => d.gpu_types[0].machines,
    (b) => b.names.find((t: Any) => t.name === 'L4').machines,
    2,
  ],
  [
    'How many A100 GPUs?',
    'gpu_types',
    { contains: 'A100' },
    (d) => d.gpu_types[0].gpus,
    (b) => b.names.find((t: Any) => t.name === 'A100').gpus,
    16,
  ],
  [
    'Since when is the L4 there?',
    'gpu_types',
    { contains: 'L4' },
    (d) => d.gpu_types[0].first_seen,
    (b) => iso(b.names.find((t: Any) => t.name === 'L4').first_seen),
    iso(hour),
  ],
  current('What does an L4 cost now?', 'L4', 'price_median', 3),
  current('What is a cheap L4 now?', 'L4', 'price_p10', 2.2),
  current('How many L4 are free?', 'L4', 'available_gpus', 12),
  current('How many A100 are free?', 'A100', 'available_gpus', 4),
  current('How much of the A100 is used?', 'A100', 'usage', 75),
  current('How much of the L4 is used?', 'L4', 'usage', 0),
  current('What do rented A100 of one machine cost?', 'A100', 'rented_median', null),
  current('What do rented L4 cost?', 'L4', 'rented_median', null),
  current('How fast is an A100?', 'A100', 'tflops', 150),
  current('How much speed does a dollar buy?', 'A100', 'dlperf_per_dollar', 300 / 1.6),
  history(
    'L4 asks in the first hour?',
    L4,
    h('L4', 'avail_median', 'first'),
    price('L4', 'avail_median', 0),
    3,
  ),
  history(
    'Lowest cheap ask of the L4?',
    L4,
    h('L4', 'avail_p10', 'lowest'),
    price('L4', 'avail_p10', 1),
    2.2,
  ),
  history(
    'Highest cheap ask of the L4?',
    L4,
    h('L4', 'avail_p10', 'highest'),
    price('L4', 'avail_p10', 0),
    2.4,
  ),
  history(
    'Rented L4 in the first hour?',
    L4,
    h('L4', 'rented_median', 'first'),
    price('L4', 'rented_median', 0),
    2,
  ),
  history(
    'Last known price of a rented L4?',
    L4,
    h('L4', 'rented_median', 'last'),
    price('L4', 'rented_median', 0),
    2,
  ),
  history(
    'When was it?',
    L4,
    (d) => d.gpus.L4.summary.rented_median.last.time,
    (b) => iso(b.gpus.L4.pricing.timestamps[0]),
    iso(hour),
  ),
  history('L4 GPUs in all?', L4, h('L4', 'total_gpus', 'last'), count('L4', 'total_gpus', 1), 12),
  history('L4 machines?', L4, h('L4', 'total', 'first'), count('L4', 'total', 0), 2),
  history(
    'Most rented L4?',
    L4,
    h('L4', 'rented_gpus', 'highest'),
    count('L4', 'rented_verified_gpus', 0),
    2,
  ),
  history(
    'Rented A100 at the end?',
    A100,
    h('A100', 'rented_gpus', 'last'),
    count('A100', 'rented_unverified_gpus', 1),
    12,
  ),
  history(
    'Verified A100?',
    { ...A100, verified: 'yes' },
    h('A100', 'total_gpus', 'last'),
    count('A100', 'total_gpus', 1),
    0,
  ),
  history(
    'L4 rigs of eight?',
    { ...L4, num_gpus: 8 },
    h('L4', 'total_gpus', 'last'),
    count('L4', 'total_gpus', 1),
    8,
  ),
  history(
    'L4 in a secure cloud?',
    { ...L4, hosting_type: 'secure_cloud' },
    h('L4', 'total', 'last'),
    count('L4', 'total', 1),
    0,
  ),
  history(
    'The A100 ask, hour by hour?',
    A100,
    (d) => d.gpus.A100.points.rows.map((row: Any) => row[3]),
    (b) => b.gpus.A100.pricing.avail_median,
    [1.5, 1.6],
  ),
  history(
    'L4 performance?',
    L4,
    (d) => d.gpus.L4.performance.dlperf,
    (b) => b.gpus.L4.stats.dlperf,
    60,
  ),
  history(
    'An unknown type?',
    { gpu_name: ['B900'] },
    h('B900', 'avail_median', 'last'),
    (b) => b.gpus.B900.pricing.avail_median[0] ?? null,
    null,
  ),
  money('L4 RevPAG of the last hour?', L4, h('L4', 'revpag', 'last'), earned('L4', 'revpag', 1), 0),
  money('L4 ADR?', L4, h('L4', 'adr', 'first'), earned('L4', 'adr', 0), null),
  money(
    'Why has the L4 no ADR?',
    L4,
    (d) => d.gpus.L4.reason,
    (b) => b.gpus.L4.reason[0],
    'few_hosts',
  ),
  money('L4 occupancy?', L4, h('L4', 'occupancy', 'highest'), earned('L4', 'occupancy', 0), 5 / 24),
  money(
    'A100 occupancy of the first hour?',
    A100,
    h('A100', 'occupancy', 'first'),
    earned('A100', 'occupancy', 0),
    0.5,
  ),
  money('A100 ADR at the end?', A100, h('A100', 'adr', 'last'), earned('A100', 'adr', 1), null),
  [
    'Which prices does the book have?',
    'order_book',
    L4,
    (d) => book('L4')(d).levels.map((l: Any) => l[0]),
    (b) => book('L4')(b).price,
    [2.2, 3],
  ],
  [
    'How many L4 at the lowest?',
    'order_book',
    L4,
    (d) => book('L4')(d).levels[0][1],
    (b) => book('L4')(b).available[0],
    4,
  ],
  [
    'How many A100 are rented?',
    'order_book',
    A100,
    (d) => book('A100')(d).rented_gpus,
    (b) => book('A100')(b).rented.unpriced,
    12,
  ],
  [
    'What do six L4 cost?',
    'order_book',
    { ...L4, gpus: 6 },
    (d) => book('L4')(d).cheapest.average_price,
    (b) => book('L4')(b).cheapest.average_price,
    14.8 / 6,
  ],
  [
    'And the dearest of them?',
    'order_book',
    { ...L4, gpus: 6 },
    (d) => book('L4')(d).cheapest.marginal_price,
    (b) => book('L4')(b).cheapest.marginal_price,
    3,
  ],
  [
    'Are there a hundred L4?',
    'order_book',
    { ...L4, gpus: 100 },
    (d) => book('L4')(d).cheapest,
    (b) => book('L4')(b).cheapest,
    null,
  ],
  [
    'Free A100 an hour before?',
    'order_book',
    { ...A100, at: iso(slots[1]) },
    (d) => book('A100')(d).available_gpus,
    (b) => sum(book('A100')(b).available),
    0,
  ],
  [
    'How many snapshots?',
    'price_distribution',
    { ...L4, ...firstHour, step: undefined },
    (d) => d.gpus.L4.snapshots,
    (b) => sum(b.gpus.L4.slots),
    2,
  ],
  [
    'L4 free in the dearest bin?',
    'price_distribution',
    { ...L4, start: hour, end: hour + 3599, bins: 10 },
    (d) => d.gpus.L4.bins.at(-1)[2],
    (b) => sum(b.gpus.L4.available.at(-1)) / 2,
    8,
  ],
  [
    'How many rented L4 have no price?',
    'price_distribution',
    { ...L4, start: hour, end: hour + 3599, bins: 10 },
    (d) => d.gpus.L4.unpriced_gpus,
    (b) => sum(b.gpus.L4.rented_unpriced) / 2,
    2.5,
  ],
  [
    'How often are there four L4 for 2.50?',
    'availability',
    { ...L4, start: hour, end: hour + 7199, gpus: 4, price: 2.5 },
    (d) => d.gpus.L4.share,
    (b) => b.gpus.L4.share,
    0.5,
  ],
  [
    'What always buys four L4?',
    'availability',
    { ...L4, start: hour, end: hour + 7199, gpus: 4 },
    (d) => d.gpus.L4.duration.at(-1)[1],
    (b) => b.gpus.L4.duration[99],
    3,
  ],
  [
    'How many A100 were rented?',
    'fill_rates',
    { ...A100, start: hour, end: hour + 7199 },
    (d) => d.gpus.A100.all.rentals,
    (b) => b.gpus.A100.all.rentals,
    16,
  ],
  [
    'How fast, and why is that not known?',
    'fill_rates',
    { ...A100, start: hour, end: hour + 7199 },
    (d) => [d.gpus.A100.all.fill_rate.value, d.gpus.A100.all.reason],
    (b) => [b.gpus.A100.all.fill_rate.value, b.gpus.A100.all.reason],
    [null, 'little_exposure'],
  ],
  [
    'Which terms of A100 are left out, since too few machines of too few hosts have them?',
    'fill_rates_by_terms',
    { ...A100, start: hour, end: hour + 7199 },
    (d) => [d.gpus.A100.left_out, d.gpus.A100.days_left],
    (b) => [b.gpus.A100.left_out, b.gpus.A100.days_left],
    [{ min_gpus: true, days_left: true, tiers: true }, []],
  ],
  [
    'When do renters of A100 come, and why is that not known?',
    'rental_hours',
    { ...A100, start: hour - 86_400, end: hour + 86_400 },
    (d) => [d.gpus.A100.pattern, d.gpus.A100.reason],
    (b) => [b.gpus.A100.pattern, b.gpus.A100.reason],
    [null, 'little_exposure'],
  ],
  [
    'At which prices were L4 offered?',
    'fill_rates',
    { ...L4, start: hour, end: hour + 7199 },
    (d) => d.gpus.L4.all.asked_price,
    (b) => [b.gpus.L4.all.price_low, b.gpus.L4.all.price_high],
    [2.4, 3],
  ],
  [
    'How did prices move on the first day?',
    'price_index',
    { start: hour - 86_400, end: hour + 86_400 },
    (d) => [d.market.index_level, d.market.points.rows.length],
    (b) => [b.market.level[0], b.market.timestamps.length],
    [null, 1],
  ],
  [
    'And those of L4?',
    'price_index',
    { gpu_name: ['L4'], start: hour - 86_400, end: hour + 86_400 },
    (d) => d.gpus.L4.points.rows.map((row: Any) => row[2]),
    (b) => b.gpus.L4.machines,
    [0],
  ],
  [
    'Of how many L4 is the minimum bid known?',
    'listing_terms',
    L4,
    (d) => [d.gpus[0].machines, d.gpus[0].min_bid.machines, d.gpus[0].min_bid.reason],
    (b) => [b.gpus.L4.machines, b.gpus.L4.min_bid.machines, b.gpus.L4.min_bid.reason],
    [2, 0, 'not_known'],
  ],
  ['How many machines have I?', 'own_machines', {}, (d) => d.count, (b) => b.machines.length, 12],
  [
    'What would machine 4 have earned?',
    'replay',
    { machine: 4, price: 0.5 },
    (d) => d.actual,
    (b) => b.actual,
    null,
  ],
]

it('there are at least fifty questions', () => expect(questions.length).toBe(59))

it.each(questions)('%s (%s)', async (_question, tool, args, told, endpoint, known) => {
  const answer = await answered(tool, args)
  const [, path = ''] = answer.source.split(' ')
  const { status, body } = await server.get(path, hostKey)
  expect(status).toBe(200)
  const figure = told(answer.data)
  expect(figure).toEqual(endpoint(body))
  expect(figure).toEqual(typeof known === 'number' ? expect.closeTo(known, 9) : known)
  expect(answer.age_seconds).toBeGreaterThan(0)
  expect(answer.simulated).toBe(false)
  for (const { unit, definition } of Object.values(answer.definitions))
    expect(unit && definition).toBeTruthy()
})

it('a tool returns current prices of clouds with their time, and no outdated ones', async () => {
  const asked = {
    catalog: 'gpuhunt',
    provider: 'aws',
    region: 'us-east-1',
    listed_name: 'L4',
    gpu_name: 'L4',
  }
  const offer = { ...asked, gpu_memory: 24, gpus: 1, spot: false }
  await writeChanges(server.clickhouse, [
    { ...offer, time: hour, instance_name: 'g6.xlarge', price: 0.8048 },
    { ...offer, time: hour, instance_name: 'old', provider: 'gcp', price: 0.1 },
  ])
  await server.postgres.query(
    `INSERT INTO catalogs (catalog, provider, place, ask_after, read_at)
     VALUES ('gpuhunt', 'aws', '', rackrate_now(), rackrate_now()), ('gpuhunt', 'gcp', '', rackrate_now(), to_timestamp(0))`,
  )
  const { data, definitions, note } = await answered('list_prices', { gpu_name: 'l4' })
  expect(data).toMatchObject({ gpus: { L4: [{ provider: 'aws', list_price: 0.8048, spot: false }] } })
  expect((data as { gpus: { L4: object[] } }).gpus.L4).toHaveLength(1)
  expect(definitions.list_price?.unit).toBe('USD per GPU-hour')
  expect(note).toBeUndefined()
})

describe('limits', () => {
  it('an answer stays short, and names a narrower query', async () => {
    const { data, note } = await answered('price_history', {
      ...L4,
      start: hour - 90 * 86_400,
      end: hour + 7199,
      step: 60,
    })
    expect(JSON.stringify(data).length).toBeLessThan(40_000)
    expect(data).not.toHaveProperty('gpus.L4.points.rows.120')
    expect(note ?? 'all points').toMatch(/larger step|all points/)
  })

  it.each([
    ['price_history', { gpu_name: Array.from({ length: 11 }, (_, n) => `GPU ${n}`) }],
    ['price_history', { gpu_name: ['L4,A100'] }],
    ['price_history', {}],
    ['order_book', { ...L4, gpus: 0 }],
    ['revenue', { ...L4, start: 'yesterday' }],
    ['price_history', { ...L4, start: hour + 10, end: hour }],
    ['availability', { ...L4, gpus: 'many' }],
    ['current_market', { verified: 'maybe' }],
  ])('%s refuses %j', async (tool, args) => {
    expect((await ask(assistant, tool, args)).isError).toBe(true)
  })

  it.each([
    ['current_market', { gpu_names: ['L4'] }, 'There is no argument gpu_names. Did you mean gpu_name?'],
    ['price_history', { ...L4, limit: 3 }, 'The arguments are gpu_name, verified, hosting_type, num_gpus,'],
    ['sources', { gpu_name: 'L4' }, 'There is no argument gpu_name.'],
  ])('%s does not ignore an unknown argument: %j', async (tool, args, message) => {
    const { text, isError } = await ask(assistant, tool, args)
    expect(isError).toBe(true)
    expect(text).toContain(message)
  })

  it('a host without machines gets the reason, and a user is refused as by the API', async () => {
    for (const [role, sentence] of [
      ['host', 'active machine'],
      ['user', 'Host or admin access required'],
    ] as const) {
      const { key } = await createKeyFor(server.postgres, { role })
      const client = await connect(key)
      expect(await ask(client, 'current_market', {})).toEqual({
        isError: true,
        text: expect.stringContaining(sentence),
      })
      await client.close()
    }
  })

  it('another key sees other machines', async () => {
    const client = await connect(server.adminKey)
    expect(JSON.parse((await ask(client, 'own_machines', {})).text).data.count).toBe(0)
    await client.close()
  })

  it('without a key there is nothing', async () => {
    await expect(connect('no-key')).rejects.toThrow()
    const answer = await fetch(`${base}/mcp`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })

  it('a page of another site is refused', async () => {
    const statusFor = async (origin: string) => {
      const headers = {
        authorization: `Bearer ${hostKey}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        origin,
      }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
      return (await fetch(`${base}/mcp`, { method: 'POST', headers, body })).status
    }
    expect(await statusFor('https://elsewhere.example')).toBe(403)
    expect(await statusFor('null')).toBe(403)
    expect(await statusFor(new URL(base).origin)).toBe(200)
  })

  it('there are no sessions', async () => {
    const headers = { authorization: `Bearer ${hostKey}`, accept: 'text/event-stream' }
    expect((await fetch(`${base}/mcp`, { headers })).status).toBe(405)
    expect((await fetch(`${base}/mcp`, { method: 'DELETE', headers })).status).toBe(405)
  })
})

describe('SQL', () => {
  const tools = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name)

  it('is for admins only', async () => {
    expect(await tools(assistant)).not.toContain('run_sql')
    await expect(ask(assistant, 'run_sql', { query: 'SELECT 1' })).rejects.toThrow()
    const admin = await connect(server.adminKey)
    expect(await tools(admin)).toContain('run_sql')
    if (server.adHoc) {
      const { text } = await ask(admin, 'run_sql', { query: 'SELECT count() AS slots FROM slots FINAL' })
      expect(JSON.parse(text).rows).toEqual([{ slots: 3 }])
      const many = await ask(admin, 'run_sql', { query: 'SELECT number FROM numbers(1000)' })
      expect(JSON.parse(many.text)).toMatchObject({ note: expect.stringContaining('900 more rows') })
      expect((await ask(admin, 'run_sql', { query: 'DROP TABLE slots' })).isError).toBe(true)
    }
    await admin.close()
  })
})

it('`rackrate mcp` answers the same on stdio', async () => {
  const client = new Client({ name: 'test', version: '1' })
  const program = createRequire(import.meta.url).resolve('#dist/cli/rackrate.js')
  const env = { PATH: process.env.PATH ?? '', RACKRATE_URL: base, RACKRATE_KEY: hostKey }
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], env, cwd: '/tmp' }),
  )
  const { age_seconds: _, ...told } = JSON.parse((await ask(client, 'current_market', {})).text)
  expect(told).toMatchObject({ data: (await answered('current_market', {})).data })
  await client.close()
})
