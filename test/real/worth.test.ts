import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { regionOf } from '../../contract/regions.ts'
import { specsText } from '../../contract/specs-text.ts'
import type { WorthAnswer } from '../../contract/worth.ts'
import { worthOf } from '../../estimates/worth.ts'
import { publishDays } from '../../ingest/publish-days.ts'
import { seeded } from '../../simulate/random.ts'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { addSeen, day } from '../daily-market.ts'
import type { MachineAtSlot } from '../oracle/history.ts'
import { sumsOf } from '../oracle/worth.ts'
import { startServer, type TestServer } from '../server.ts'

const start = 1_699_920_000
const days = 33
const to = start + days * day

/** 120 machines of two GPU types. A machine with a static address is paid 15 % more. */
function market(): MachineAtSlot[] {
  const random = seeded(4)
  const seen: MachineAtSlot[] = []
  for (let machine = 1; machine <= 120; machine += 1) {
    const isStatic = machine % 2 === 0
    const type =
      machine % 3
        ? { gpu: 'RTX 4090', ram: 24 * 1024, price: 0.4 }
        : { gpu: 'H200', ram: 141 * 1024, price: 2.5 }
    const price = Number((type.price * (isStatic ? 1.15 : 1) * (0.97 + 0.06 * random())).toFixed(3))
    const rig = 2 ** (machine % 3)
    const specs = specsText({
      static_ip: isStatic,
      inet_up: 100 + 900 * random(),
      disk_space: machine > 100 ? null : 500 * rig,
    })
    for (let index = 0; index < days; index += 1)
      for (const hour of [3, 15]) {
        const taken = random() < 0.6 ? 1 + Math.floor(random() * rig) : 0
        seen.push({
          ...type,
          slot: start + index * day + hour * 3600,
          machine,
          rig,
          price,
          host: machine % 30,
          country: machine % 4 ? 'DE' : 'US',
          verified: machine % 5 > 0,
          hosting: 'community',
          free: rig - taken,
          rented: taken > 0 ? [{ gpus: taken, price }] : [],
          tflops: 10,
          dlperf: 10,
          // The last of the specs counts.
          specs: index < 10 ? specsText({ static_ip: !isStatic }) : specs,
        })
      }
  }
  return seen
}

const seen = market()
let server: TestServer
beforeAll(async () => {
  server = await startServer({ seriesMaxAgeMs: 0 })
  await addSeen(server, seen)
  await publishDays(server)
})
afterAll(() => server?.close())

const ask = async (query: string, key?: string) =>
  (await server.get(`/api/v0/metrics/gpu/worth?${query}`, key)).body as WorthAnswer

/** Worth from the observations, by the same estimate. */
function expected(isChosen: (one: MachineAtSlot) => boolean, by: 'country' | 'region') {
  return worthOf(
    sumsOf(seen.filter(isChosen), { to, days: 30 }).map(({ last, ...sums }) => {
      const [inet_up, , , disk_space] = JSON.parse(last.specs ?? '[]') as (number | null)[]
      const static_ip = (JSON.parse(last.specs ?? '[]') as unknown[])[12] === true
      return {
        ...sums,
        group: `${last.gpu} ${last.ram}`,
        host: `${last.host}`,
        gpus: last.rig,
        place: by === 'country' ? (last.country ?? '') : (regionOf.get(last.country ?? '') ?? ''),
        tier: last.verified ? 'verified' : 'unknown',
        isDatacenter: false,
        specs: { inet_up: inet_up ?? null, disk_space: disk_space ?? null, static_ip },
      }
    }),
  )
}

describe('the worth of specs and places', () => {
  it.each([
    ['of all machines', 'verified=all', () => true, 'country'],
    [
      'of verified machines of one GPU type, by region',
      'gpu_name=rtx 4090&by=region',
      ({ gpu, verified }: MachineAtSlot) => gpu === 'RTX 4090' && verified,
      'region',
    ],
  ] as const)('follows from the observations, %s', async (_, query, isChosen, by) => {
    const { factors, ...answer } = await ask(query)
    const { factors: known, ...counts } = expected(isChosen, by)
    expect(answer).toEqual({ success: true, needs_machine: false, to, days: 30, ...counts })
    expect(factors).toHaveLength(known.length)
    for (const [index, factor] of factors.entries()) {
      const { price, fill, ...rest } = known[index] as (typeof known)[number]
      expect(factor).toMatchObject(rest)
      for (const [name, worth] of [['price', price] as const, ['fill', fill] as const])
        for (const end of ['value', 'low', 'high'] as const)
          expect(factor[name][end], `${name}.${end} of ${factor.name}`).toEqual(
            worth[end] === null ? null : expect.closeTo(worth[end], 6),
          )
    }
  })

  it('names the static address that renters pay for, and no place', async () => {
    const { factors } = await ask('verified=all')
    const named = factors.filter(({ price }) => price.value !== null)
    expect(named).toEqual([expect.objectContaining({ kind: 'spec', name: 'static_ip', unit: 'yes' })])
    expect(named[0]?.price.value).toBeCloseTo(0.15, 1)
  })

  it('refuses what is wrong, and has a reason for a small market and a host without machines', async () => {
    for (const query of ['by=city', 'gpu_name=', 'verified=maybe'])
      expect((await server.get(`/api/v0/metrics/gpu/worth?${query}`)).status, query).toBe(400)
    expect(await ask('gpu_name=L4')).toMatchObject({ machines: 0, reason: 'few_machines', factors: [] })
    const { key } = await createKeyFor(server.postgres, { role: 'host' })
    expect(await ask('', key)).toMatchObject({ needs_machine: true, factors: [], to: null })
  })
})

it('a market of two days has no worth, with a reason', async () => {
  const young = await startServer({ seriesMaxAgeMs: 0 })
  try {
    const { body } = await young.get('/api/v0/metrics/gpu/worth')
    expect(body).toMatchObject({ to: null, days: 0, reason: 'young_market', factors: [] })
    await addSeen(
      young,
      seen.filter(({ slot }) => slot < start + 2 * day),
    )
    await publishDays(young)
    const { body: later } = await young.get('/api/v0/metrics/gpu/worth?verified=all')
    expect(later).toMatchObject({ days: 2, reason: 'young_market', factors: [] })
  } finally {
    await young.close()
  }
})
