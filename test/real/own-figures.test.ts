import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { machinesAnswer, OwnFigures } from '../../contract/machines.ts'
import type { OwnIncomeAnswer } from '../../contract/own-income.ts'
import { publishDays } from '../../ingest/publish-days.ts'
import { createKey } from '../../platform/security/api-keys.ts'
import { loadSql } from '../../platform/stores/sql-files.ts'
import { seeded } from '../../simulate/random.ts'
import { readWaits } from '../../src/alerts/waits.ts'
import { storeComparables } from '../../src/hosts/machines/comparables.ts'
import { pastDays, readPast } from '../../src/hosts/machines/own-past.ts'
import { readWholeDays } from '../../src/hosts/machines/whole-days.ts'
import { plain } from '../../src/market/market-query/plain.ts'
import { watchSeries } from '../../src/market/market-query/series.ts'
import { openMarkets } from '../../src/rules/markets.ts'
import { addSeen } from '../daily-market.ts'
import type { MachineAtSlot } from '../oracle/history.ts'
import { expectedPast, expectedSet, type Sums, sumsOf } from '../oracle/machines.ts'
import { expectedMeanDepth, slotsOfBook } from '../oracle/market.ts'
import { startServer, type TestServer } from '../server.ts'

// Six hosts with machines of few classes, so that some sets are large enough and others are not; eight days of slots with a gap, and before
// them a week with fewer slots.
const interval = 3600
const newest = 1_795_132_800 + 1800
const random = seeded(14)
const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value
const slots = [
  ...Array.from({ length: 190 }, (_, n) => newest - n * interval).filter((_, n) => n < 40 || n > 50),
  ...Array.from({ length: 20 }, (_, n) => newest - 190 * interval - n * 8 * 3600),
]
/** A slot that arrives after its day was published, so the days that depend on it are published again later. */
const late = newest - (190 + 12 * 8) * 3600
const machines = Array.from({ length: 42 }, (_, n) => ({
  machine: n + 1,
  host: 1001 + (n % 6),
  gpu: n < 36 ? 'RTX 4090' : 'H100 SXM',
  rig: n < 24 ? 4 : pick([1, 8]),
  verified: n < 30,
  hosting: pick(n < 20 ? (['community'] as const) : (['community', 'secure_cloud'] as const)),
  tflops: 80,
  dlperf: 90,
}))
/**
 * The number of price changes after a slot, by machine: some never change their price, others did nine days ago, at the newest slot, or every two
 * days.
 */
function changesUntil(slot: number, machine: number): number {
  const days = [0, 9.3, 2.3, 2.3][machine % 4]
  const until = machine % 4 === 2 ? newest : newest + 1
  return days ? Math.floor((slot - until) / (days * 86_400)) : 0
}
/** True if a machine is idle: some machines are not rented any more, and one never was. */
const isIdle = (slot: number, machine: number): boolean =>
  machine === 5 || (machine % 10 === 3 && slot > newest - 9 * 86_400)
/** True if a machine is rented completely: one machine was for whole days, at an unchanged price. */
const isFull = (slot: number, machine: number): boolean =>
  machine === 8 && slot > newest - 12 * 86_400 && slot < newest - 9 * 86_400
const seen: MachineAtSlot[] = machines.flatMap((one) => {
  const base = 0.2 + random() * 0.4
  return slots
    .filter(() => random() > 0.05)
    .map((slot) => {
      const drawn = random() < 0.5 && !isIdle(slot, one.machine) ? Math.floor(random() * (one.rig + 1)) : 0
      const rented = isFull(slot, one.machine) ? one.rig : drawn
      const price = Number((base * (1 + 0.05 * changesUntil(slot, one.machine))).toFixed(4))
      return {
        ...one,
        slot,
        free: one.rig - rented,
        price,
        rented: rented ? [{ gpus: rented, price: 0.31 }] : [],
      }
    })
})

let server: TestServer
const keys = new Map<number, string>()
beforeAll(async () => {
  server = await startServer({ snapshotInterval: interval, seriesMaxAgeMs: 0 })
  const { postgres } = server
  await postgres.query('UPDATE slot_interval SET seconds = $1', [interval])
  for (const host of [1001, 1002, 1003, 1004, 1005, 1006]) {
    await postgres.query('INSERT INTO accounts (id, name, is_host) VALUES ($1, $2, true)', [
      host,
      `host ${host}`,
    ])
    keys.set(host, (await createKey(postgres, { accountId: host })).key)
  }
  for (const one of machines) {
    const values = [
      one.machine,
      one.host,
      one.gpu,
      one.rig,
      one.verified ? 'verified' : 'unverified',
      one.hosting,
    ]
    await postgres.query(
      `INSERT INTO machines (id, account_id, gpu_name, num_gpus, gpu_ram, tflops, dlperf, disk_space, verification, hosting_type)
       VALUES ($1, $2, $3, $4, 24576, 300, 400, 1000, $5, $6)`,
      values,
    )
    const last = seen.filter(({ machine }) => machine === one.machine).sort((a, b) => b.slot - a.slot)[0]
    await postgres.query('INSERT INTO gpu_listings (machine_id, price) VALUES ($1, $2)', [
      one.machine,
      last?.price,
    ])
  }
  // A host requests figures while the past is still being imported. Cached figures of all hosts must not stay at that state.
  const isNew = ({ slot }: MachineAtSlot) => slot > newest - 20 * interval
  await addSeen(server, seen.filter(isNew), 'new')
  for (const host of keys.keys()) await ask(host)
  await addSeen(
    server,
    seen.filter((one) => !isNew(one) && one.slot !== late),
    'old',
  )
  await publishDays(server)
  for (const host of keys.keys()) await ask(host)
  await addSeen(
    server,
    seen.filter(({ slot }) => slot === late),
    'late',
  )
})
afterAll(() => server?.close())

type Answer = (typeof machinesAnswer)['_output']
const ask = async (host: number, query = '') =>
  (await server.get(`/api/v0/metrics/machines?${query}`, keys.get(host))).body as Answer
const near = (value: number | null) => (value === null ? null : expect.closeTo(value, 9))

it('every machine has the past and the comp set of the plain definition', async () => {
  const reasons = new Set<string | null>()
  for (const host of keys.keys())
    for (const { id, figures } of (await ask(host)).machines) {
      const of = seen.find(({ machine }) => machine === id)
      if (!figures || !of) throw new Error('a machine is missing')
      const { idle_since, price_history, covered_seconds, last_seen, ...sums } = expectedPast(
        seen,
        id,
        newest,
        interval,
      )
      expect(figures, `${id}`).toMatchObject({
        idle_since,
        price_history,
        covered_seconds,
        last_seen,
        ...Object.fromEntries(Object.entries(sums).map(([name, value]) => [name, near(value)])),
        comp_set: expectedSet(seen, of, newest),
      })
      reasons.add(figures.comp_set.reason)
    }
  expect(reasons).toContain(null)
  expect(reasons.size).toBeGreaterThan(1)
})

it('figures common to all hosts are computed once, and do not change answers', async () => {
  const hosts = [...keys.keys()].slice(0, 2)
  const filters = ['', 'verified=all', 'num_gpus=4']
  const askOf = async (of: TestServer) => {
    const query = vi.spyOn(of.clickhouse, 'query')
    const answers: unknown[] = []
    for (const host of hosts)
      for (const filter of filters)
        answers.push((await of.get(`/api/v0/metrics/machines?${filter}`, keys.get(host))).body)
    const texts = query.mock.calls.map(([{ query }]) => query)
    query.mockRestore()
    await of.app.close()
    const ofAll = shared.map((name) => loadSql(`clickhouse/queries/${name}`))
    return { answers, read: shared.filter((_, index) => texts.includes(ofAll[index] ?? '')) }
  }
  const shared = ['machines/class_flows', 'machines/comp_sets', 'depth/mean_asks', 'depth/book']
  const another = () => startServer({ snapshotInterval: interval, seriesMaxAgeMs: 0, databases: server })

  const { postgres } = server
  await postgres.query('TRUNCATE comparables')
  const computed = await askOf(await another())
  expect(computed.read).toEqual(shared)

  const series = watchSeries(server.postgres, server.clickhouse, 0)
  expect(await storeComparables(server, series)).toBe(6)
  expect(await storeComparables(server, series)).toBe(0)
  const kept = await askOf(await another())
  // Books of unusual filters are not stored, so they are read on request.
  expect(kept.read).toEqual(['depth/book'])
  expect(kept.answers).toEqual(computed.answers)

  // Rows of another slot or of another release are not used.
  await postgres.query(`UPDATE comparables SET edition = edition || ' ', rows = '[]'`)
  const old = await askOf(await another())
  expect(old).toEqual(computed)
  expect(await storeComparables(server, series)).toBe(6)
})

it('every machine has what it earned since its price changed', async () => {
  const lengths = new Set<number>()
  for (const host of keys.keys())
    for (const { id, figures, price } of (await ask(host)).machines) {
      const { timestamps = [], price: asks = [] } = figures?.price_history ?? {}
      const since = asks.at(-1) === price ? (timestamps.at(-1) ?? 0) : 0
      const own = seen.filter(({ machine, slot }) => machine === id && slot >= since)
      const { gpus, rented, value } = sumsOf(own)
      const sums = { occupancy: near(rented / gpus), earned: near((value * interval) / 3600) }
      const expected = { since, covered_seconds: own.length * interval, ...sums }
      expect(figures?.since_change, `${id}`).toEqual(since > 0 ? expect.objectContaining(expected) : null)
      lengths.add(since > 0 ? Math.floor((newest - since) / (7 * 86_400)) : -1)
    }
  expect([...lengths]).toEqual(expect.arrayContaining([0, 1, 2]))
})

it('whole days are read where they are published as they are, and say what observations say', async () => {
  const week = newest - 7 * 86_400
  const own = {
    ids: machines.map(({ machine }) => machine),
    names: machines.map(({ gpu }) => gpu),
    rigs: machines.map(({ rig }) => rig),
    slot: newest,
    from: newest - 30 * 86_400,
    week,
    day: newest - 86_400,
    book: week,
    book_to: newest + 1,
    set_from: week,
    set_to: newest,
  }
  const dayOf = (time: number) => time - (time % 86_400)
  const days = await readWholeDays(server.clickhouse, pastDays(own))
  expect(days).toEqual({ days_from: dayOf(late) + 86_400, days_to: dayOf(week) })
  const past = await readPast(server.clickhouse, own, days)
  // Sums of money are added in another order.
  const observed = await readPast(server.clickhouse, own, { days_from: 0, days_to: 0 })
  expect(plain([...past])).toEqual(plain([...observed]))
  const shares = new Set<number>()
  for (const { machine, rig } of machines) {
    const { asks = [], since_ask = [] } = past.get(machine) ?? {}
    const first = seen.find((one) => one.machine === machine && one.slot === asks.at(-1)?.[0])
    expect(since_ask[4], `${machine}`).toBeCloseTo(1 - (first?.free ?? 0) / rig, 9)
    shares.add(since_ask[4] ?? 0)
  }
  expect(shares.size).toBeGreaterThan(2)
})

it('every machine has its position in the mean book of seven days', async () => {
  const within = slotsOfBook(slots, newest, 7)
  const bookOf = (gpu: string, passes: (one: MachineAtSlot) => boolean) =>
    expectedMeanDepth(
      seen.filter(passes),
      within,
      { gpu, verified: 'all', hosting: 'all', rig: 'all' },
      false,
    )
  const found = new Set<number | null>()
  let rated = 0
  for (const host of keys.keys())
    for (const { id, gpu_name, num_gpus, price, figures } of (await ask(host)).machines) {
      const { price: prices, available } = bookOf(gpu_name, ({ machine }) => machine !== id)
      const own = bookOf(gpu_name, ({ machine, free }) => machine === id && free > 0)
      const offered = own.price.flatMap((at, index) =>
        own.available[index] ? [[at, own.available[index]]] : [],
      )
      expect(figures?.offered).toEqual({
        price: offered.map(([at]) => at),
        available: offered.map(([, gpus]) => near(gpus ?? null)),
      })
      const gpusOf = (passes: (at: number) => boolean) =>
        prices.reduce((sum, at, index) => sum + (passes(at) ? (available[index] ?? 0) : 0), 0)
      const cheaper = gpusOf((at) => at < (price ?? 0))
      const position = Math.min(9, Math.floor((10 * cheaper) / (gpusOf(() => true) + num_gpus)))
      expect(figures?.position, `${id}`).toBe(position)
      found.add(position)
      if (!figures?.fill_rate) continue
      const rates = figures.fill_rates.map((rate) => rate?.value)
      expect(figures.fill_rate.value).toBeCloseTo(rateAt(cheaper / (gpusOf(() => true) + num_gpus), rates), 9)
      rated += 1
    }
  expect(found.size).toBeGreaterThan(3)
  expect(rated).toBeGreaterThan(10)
})

/** The rate on the straight line between the middles of two tenths. If the other tenth is unknown, the rate of the own tenth. */
function rateAt(share: number, rates: readonly (number | undefined)[]): number {
  const own = rates[Math.min(9, Math.floor(share * 10))] ?? Number.NaN
  const before = Math.floor(share * 10 - 0.5)
  const [from, to] = [rates[before] ?? own, rates[before + 1] ?? own]
  return from + (share * 10 - 0.5 - before) * (to - from)
}

it('the curve has the income at its price and at the advised one, a fifth away at most', async () => {
  const found: OwnFigures[] = []
  for (const host of keys.keys())
    for (const { figures } of (await ask(host)).machines) if (figures) found.push(figures)
  const known = found.filter(({ reason }) => reason === null)
  expect(known.length).toBeGreaterThan(10)
  expect(found.some((one) => one.class?.widened)).toBe(true)
  for (const { income, curve, advice, class: of, fill_rate, hours_to_rent } of known) {
    const values = curve.flatMap((point) => point.income?.value ?? [])
    expect(values).toContain(income?.value)
    expect(advice.price === null).toBe(advice.verdict === 'unknown')
    expect(advice.obstacle === null).toBe(advice.verdict !== 'unknown')
    if (advice.price !== null) {
      expect(curve.map(({ price }) => price)).toContain(advice.price)
      expect(['class', 'own_results']).toContain(advice.grade)
      expect(advice.wait?.hours).toBeGreaterThan(0)
      expect(advice.income_per_day?.low).toBeGreaterThan(0)
    }
    expect(advice.reason).toMatch(/\.$/)
    expect(curve.map(({ price }) => price)).toEqual(curve.map(({ price }) => price).toSorted((a, b) => a - b))
    expect(hours_to_rent).toBeCloseTo(1 / (fill_rate?.value ?? 0), 9)
    expect(of).not.toBeNull()
  }
  for (const { reason, income } of found) expect(income === null).toBe(reason !== null)
})

it('1,000 random pairs of answers to a host tell nothing about another one', async () => {
  // An answer takes many statements, so a few filters represent all of them.
  const filters = [
    'verified=all&hosting_type=all&num_gpus=all',
    'verified=yes&hosting_type=all&num_gpus=4',
    'verified=no&hosting_type=community&num_gpus=all',
  ]
  const week = seen.filter(({ slot }) => slot > newest - 7 * 86_400)
  const truth = (passes: (one: MachineAtSlot) => boolean): Sums => sumsOf(week.filter(passes))
  const secrets = [...keys.keys()].map((host) => ({ host, ...truth((one) => one.host === host) }))
  const secretMachines = machines.map(({ machine, host }) => ({
    host,
    ...truth((one) => one.machine === machine),
  }))
  /** The sums that a host could compute of each comp set from the answers, its own machines and the public book. */
  const learned = ({ machines: own }: Answer) =>
    own.flatMap(({ id, figures }) => {
      const { mpi, rgi } = figures?.comp_set ?? {}
      const sums = truth((one) => one.machine === id)
      const of = machines.find(({ machine }) => machine === id)
      if (!mpi || !rgi || !of) return []
      const set = truth(
        (one) =>
          one.host !== of.host &&
          [one.gpu, one.rig, one.verified, one.hosting].join() ===
            [of.gpu, of.rig, of.verified, of.hosting].join(),
      )
      return [{ gpus: set.gpus, value: ((sums.value / sums.gpus) * 100 * set.gpus) / rgi }]
    })
  const answers = new Map<string, { answer: Answer; figures: string; sums: ReturnType<typeof learned> }>()
  const answerOf = async (host: number, filter: string) => {
    const key = `${host} ${filter}`
    const known = answers.get(key)
    if (known) return known
    const answer = await ask(host, filter)
    expect(JSON.stringify(answer)).not.toMatch(/"host(_id)?"|account/)
    expect(answer.machines.every(({ id }) => machines.some((m) => m.machine === id && m.host === host))).toBe(
      true,
    )
    const figures = JSON.stringify(answer.machines.map(({ figures }) => figures))
    const asked = { answer, figures, sums: learned(answer) }
    answers.set(key, asked)
    return asked
  }
  let compared = 0
  const told: string[] = []
  for (let pair = 0; pair < 1000; pair += 1) {
    const host = pick([...keys.keys()])
    const [one, other] = [await answerOf(host, pick(filters)), await answerOf(host, pick(filters))]
    // The figures do not depend on the filters, so that there is nothing to subtract.
    expect(one.figures === other.figures).toBe(true)
    const [first, second] = [one.sums, other.sums]
    const guesses = [
      ...first,
      ...first.flatMap((a) => second.map((b) => ({ gpus: a.gpus - b.gpus, value: a.value - b.value }))),
    ]
    for (const guess of guesses)
      for (const secret of [...secrets, ...secretMachines].filter((known) => known.host !== host)) {
        compared += 1
        if (guess.gpus === secret.gpus && Math.abs(guess.value - secret.value) < 0.01 * secret.value)
          told.push(`host ${host} learned ${secret.value} of host ${secret.host}`)
      }
  }
  expect(told).toEqual([])
  expect(compared).toBeGreaterThan(10_000)
})

it('answers about the market name no machine, host or account, and mark small classes', async () => {
  const names = ['RTX 4090', 'H100 SXM'] as const
  const filters = ['yes', 'no', 'all'].flatMap((verified) =>
    ['all', 'community', 'secure_cloud'].flatMap((hosting_type) =>
      ['all', '1', '4', '8'].map((num_gpus) => ({ verified, hosting_type, num_gpus })),
    ),
  )
  type MarketQuery = (typeof filters)[number] & { gpu: (typeof names)[number] }
  const passes = (of: MarketQuery) => (one: (typeof machines)[number]) =>
    one.gpu === of.gpu &&
    (of.verified === 'all' || one.verified === (of.verified === 'yes')) &&
    (of.hosting_type === 'all' || one.hosting === of.hosting_type) &&
    (of.num_gpus === 'all' || one.rig === Number(of.num_gpus))
  const to = newest - (newest % 86_400)
  const market = async (endpoint: string, { gpu, ...filter }: MarketQuery) => {
    const query = new URLSearchParams({
      ...filter,
      gpu_name: gpu,
      start: `${to - 7 * 86_400}`,
      end: `${to - 1}`,
      step: '86400',
    })
    const { status, body } = await server.get(`/api/v0/metrics/gpu/${endpoint}?${query}`, keys.get(1001))
    expect(status, JSON.stringify(body)).toBe(200)
    expect(JSON.stringify(body)).not.toMatch(/"(host|account|owner|machine_id)/)
    return (body as { gpus: Record<string, Record<string, (number | null)[]>> }).gpus[gpu] ?? {}
  }
  let marked = 0
  for (const gpu of names)
    for (const filter of filters) {
      const of = { gpu, ...filter }
      const hosts = new Set(machines.filter(passes(of)).map((one) => one.host))
      if (hosts.size === 0 || hosts.size > 2) continue
      const { rented_thin = [], avail_thin = [] } = await market('thin', of)
      expect([...rented_thin, ...avail_thin].every((mark) => mark !== (false as never))).toBe(true)
      const { adr = [] } = await market('revenue', of)
      expect(adr.every((price) => price === null)).toBe(true)
      marked += 1
    }
  expect(marked).toBeGreaterThan(3)
  for (const endpoint of ['history', 'depth', 'prices', 'availability', 'fill', 'dispersion'])
    await market(endpoint, { ...pick(filters), gpu: 'RTX 4090' })
})

it('alerts compare an idle machine with the wait of its figures, also in a trial', async () => {
  const [market] = openMarkets(server)
  if (!market) throw new Error('there is no market')
  let known = 0
  for (const host of keys.keys()) {
    const found = (await ask(host)).machines
    const ids = found.map(({ id }) => id)
    const waitOf = await readWaits(market, new Map([[host, ids]]), interval)
    for (const { id, figures } of found) {
      const { hours, long_hours } = figures?.advice.wait_now ?? {}
      expect(waitOf(id), `${id}`).toEqual(
        hours === undefined ? undefined : expect.objectContaining({ hours, long_hours }),
      )
      known += Number(waitOf(id) !== undefined)
    }
    const condition = { kind: 'machine_waits' }
    const tried = await server.send('POST', '/api/v0/alerts/try', keys.get(host) ?? '', { condition })
    expect(tried, JSON.stringify(tried.body)).toMatchObject({ status: 200, body: { success: true } })
  }
  expect(known).toBeGreaterThan(10)
})

it('the incomes of all machines by day are the plain sums, before and after costs', async () => {
  const host = 1003
  const key = keys.get(host) ?? ''
  const own = seen.filter((one) => one.host === host)
  const days = 14
  const start = newest - (newest % 86_400) - (days - 1) * 86_400
  const income = async () =>
    (await server.get(`/api/v0/metrics/machines/income?days=${days}`, key)).body as OwnIncomeAnswer
  const costs = { kwh_price: 0.3, watts_idle: 100, watts_load: 900, fee_percent: 20, other_per_month: 73 }
  const expectedDays = (isNet: boolean) =>
    Array.from({ length: days }, (_, index) => {
      const day = start + index * 86_400
      const its = own.filter(({ slot }) => slot >= day && slot < day + 86_400)
      const hours = interval / 3600
      const earned = its.flatMap(({ rented }) => rented).reduce((sum, one) => sum + one.gpus * one.price, 0)
      const spent = its.reduce((sum, one) => {
        const rented = one.rented.reduce((gpus, part) => gpus + part.gpus, 0) / one.rig
        return sum + 0.3 * (0.1 + 0.8 * rented) + (73 * 12) / 365 / 24
      }, 0)
      const recorded = slots.filter((slot) => slot >= day && slot < day + 86_400).length * interval
      return {
        day,
        recorded_seconds: recorded,
        machines: new Set(its.map(({ machine }) => machine)).size,
        income: recorded === 0 ? null : near(earned * hours),
        net: recorded === 0 || !isNet ? null : near(0.8 * earned * hours - spent * hours),
      }
    })
  const before = await income()
  expect(before).toMatchObject({ slot: newest, machines: 7, income_at: 'contract', past_reason: null })
  expect(before.days).toEqual(expectedDays(false))
  expect((await server.send('PUT', '/api/v0/metrics/costs', key, costs)).status).toBe(200)
  expect((await income()).days).toEqual(expectedDays(true))
})
