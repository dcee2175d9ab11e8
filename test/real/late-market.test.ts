import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OwnFigures } from '../../contract/machines.ts'
import { loadAll } from '../../ingest/load.ts'
import { publishDays } from '../../ingest/publish-days.ts'
import { createKey } from '../../platform/security/api-keys.ts'
import { noteMarketDelay } from '../../platform/stores/market-delay.ts'
import { runRules } from '../../src/alerts/run.ts'
import { readMoments } from '../../src/autopilot/read-moments.ts'
import { publish } from '../../src/publish/data/publish.ts'
import { openRuleMarket } from '../../src/rules/markets.ts'
import { connectAssistant } from '../assistant.ts'
import type { MachineAtSlot } from '../oracle/history.ts'
import { spool } from '../random-market.ts'
import { startServer, type TestServer } from '../server.ts'

// Two markets that are equal up to the newest slot that readers may see, and differ in all later ones. With a delay, no answer about the
// market may tell which of the two it is of.

const interval = 1800
const day = 1_795_132_800 // 2026-11-20
const hour = (hours: number) => day + hours * 3600
// The newest slot is of the next day, so that the day is complete and published. With a delay of an hour, 23:00 is shown.
const shownSlots = [hour(-12), hour(22), hour(22.5), hour(23)]
const hiddenSlots = [hour(23.5), hour(24)]
const ownMachine = 5
const owner = 1001

const machines = Array.from({ length: 60 }, (_, index) => ({
  machine: index + 1,
  gpu: index % 3 === 0 ? 'H100 SXM' : 'RTX 4090',
  host: index + 1 === ownMachine ? owner : 2001 + (index % 20),
  rig: [1, 2, 4][index % 3] ?? 1,
  verified: index % 5 > 0,
  hosting: 'community' as const,
  ram: 24_576,
  tflops: 80,
  dlperf: 90,
}))

/** The market at a slot. Machines in `other` have another price and another state. */
const seenAt = (slot: number, other: boolean): MachineAtSlot[] =>
  machines.map((one, index) => {
    const isFree = (index + slot / interval + (other ? 1 : 0)) % 2 === 0
    const price = 0.3 + index / 100 + (other ? 0.05 : 0)
    return isFree
      ? { ...one, slot, price, free: one.rig, rented: [] }
      : { ...one, slot, price, free: 0, rented: [{ gpus: one.rig, price }] }
  })

interface World {
  server: TestServer
  key: string
  folder: string
}

async function openWorld(other: boolean): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'rackrate-late-'))
  const server = await startServer({ seriesMaxAgeMs: 0, snapshotInterval: interval })
  const { postgres } = server
  await postgres.query('UPDATE slot_interval SET seconds = $1', [interval])
  await postgres.query(`INSERT INTO accounts (id, name, is_host) VALUES ($1, 'host', true)`, [owner])
  await postgres.query(
    `INSERT INTO machines (id, account_id, gpu_name, num_gpus, gpu_ram, tflops, dlperf, disk_space, verification, hosting_type)
     VALUES ($1, $2, 'RTX 4090', 2, 24576, 80, 90, 1000, 'verified', 'community')`,
    [ownMachine, owner],
  )
  await postgres.query('INSERT INTO gpu_listings (machine_id, price) VALUES ($1, 0.34)', [ownMachine])
  const { key } = await createKey(postgres, { accountId: owner })
  for (const slot of [...shownSlots, ...hiddenSlots])
    await spool(postgres, slot, seenAt(slot, other && hiddenSlots.includes(slot)))
  await loadAll(server)
  await publishDays(server)
  return { server, key, folder }
}

let worlds: World[]
beforeAll(async () => {
  worlds = [await openWorld(false), await openWorld(true)]
})
afterAll(async () => {
  for (const { server, folder } of worlds ?? []) {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
})

const range = `start=${hour(-24)}&end=${hour(26)}`
const all = 'gpu_name=all'
const gpu = (path: string) => `/api/v0/metrics/gpu/${path}`
const answers: Record<string, string> = {
  'history by slot': gpu(`history?${all}&${range}&step=${interval}`),
  'history by hour': gpu(`history?${all}&${range}&step=3600`),
  'history by 6 hours': gpu(`history?${all}&${range}&step=21600`),
  'history by day': gpu(`history?${all}&${range}&step=86400`),
  'history of a step off the ladder': gpu(`history?${all}&${range}&step=5400`),
  current: gpu('current'),
  'the book': gpu(`depth?${all}`),
  'the book of a later time': gpu(`depth?${all}&at=${hour(24)}`),
  'the mean book': gpu(`depth?${all}&days=1`),
  prices: gpu(`prices?${all}&${range}`),
  revenue: gpu(`revenue?${all}&${range}`),
  returns: gpu('returns?verified=all'),
  worth: gpu('worth?verified=all'),
  'income by terms': gpu('income-by-terms?gpu_name=RTX+4090&verified=all'),
  availability: gpu(`availability?${all}&${range}`),
  fill: gpu(`fill?${all}&${range}`),
  'fill by terms': gpu(`fill-by-terms?gpu_name=RTX+4090&${range}`),
  'time to rent': gpu(`time-to-rent?gpu_name=RTX+4090&${range}`),
  'rental hours': gpu(`rental-hours?gpu_name=RTX+4090&${range}`),
  dispersion: gpu(`dispersion?${all}&${range}`),
  'the price index': gpu(`index?${all}&${range}`),
  churn: gpu(`churn?${all}&${range}`),
  events: gpu(`events?${all}&${range}`),
  forecast: gpu('forecast?gpu_name=RTX+4090'),
  terms: gpu('terms'),
  locations: gpu('locations'),
  'the exporter': '/metrics/global',
}
/** Answers that have the same content in both markets, with a delay or without. */
const alike = new Set([
  'returns',
  'worth',
  'income by terms',
  'churn',
  'time to rent',
  'fill by terms',
  'terms',
  'locations',
  'events',
  'forecast',
])

/** The answers of both markets, without what differs from request to request. */
async function answersOf(path: string, delay: number): Promise<unknown[]> {
  const found: unknown[] = []
  for (const { server, key } of worlds) {
    await noteMarketDelay(server.postgres, delay)
    const { status, body } = await server.get(path, key)
    expect(status, JSON.stringify(body)).toBe(200)
    found.push(body)
  }
  return found
}

describe('a market that is shown an hour late', () => {
  it.each(Object.entries(answers))('hides its newest slots from %s', async (name, path) => {
    const [one, other] = await answersOf(path, 3600)
    expect(other).toEqual(one)
    // The table finds a leak: without a delay the markets differ.
    const [first, second] = await answersOf(path, 0)
    if (!alike.has(name)) expect(second).not.toEqual(first)
  })

  it('has the newest slot that is an hour older than the newest one', async () => {
    const [late] = await answersOf(gpu('current'), 3600)
    expect(late).toMatchObject({ slot: hour(23) })
    for (const { server, key } of worlds) {
      const live = await server.get('/api/v0/metrics/live?seconds=0', key)
      expect(live.body).toContain(`"newest_slot":${hour(23)},"delay":3600`)
    }
    const [now] = await answersOf(gpu('current'), 0)
    expect(now).toMatchObject({ slot: hour(24) })
  })

  it('shows own machines at the newest slot, and compares them with what is shown', async () => {
    const [one, other] = (await answersOf('/api/v0/metrics/machines', 3600)) as {
      slot: number
      machines: { avail_percentile: number; figures: OwnFigures }[]
    }[]
    expect([one?.slot, other?.slot]).toEqual([hour(24), hour(24)])
    const figures = [one?.machines[0]?.figures, other?.machines[0]?.figures]
    // Its own rentals in hidden slots count, and differ.
    expect(figures[0]?.income_1d).not.toEqual(figures[1]?.income_1d)
    expect(figures[0]?.comp_set).toEqual(figures[1]?.comp_set)
    expect(figures[0]?.fill_rates).toEqual(figures[1]?.fill_rates)
    expect(one?.machines[0]?.avail_percentile).toEqual(other?.machines[0]?.avail_percentile)
  })

  it('hides its newest slots from shared charts and assistants', async () => {
    const found = { shares: [] as unknown[], tools: [] as unknown[] }
    for (const { server, key } of worlds) {
      await noteMarketDelay(server.postgres, 3600)
      const chart = { query: `${all.replace('all', 'RTX+4090')}&${range}&step=${interval}` }
      const { body } = await server.send('POST', '/api/v0/shares', key, chart)
      const token = new URL((body as { url: string }).url, 'http://localhost').searchParams.get('chart')
      found.shares.push((await server.get(`/api/v0/shared/${token}`, key)).body)
      const base = await server.app.listen({ port: 0, host: '127.0.0.1' })
      const assistant = await connectAssistant(base, key)
      const { content } = await assistant.callTool({ name: 'current_market', arguments: {} })
      // The age of the slot passes between the two.
      found.tools.push(JSON.stringify(content).replace(/age_seconds\D+\d+/, ''))
      await assistant.close()
    }
    expect(found.shares[1]).toEqual(found.shares[0])
    expect(JSON.stringify(found.shares[0])).toContain(`${hour(23)}`)
    expect(found.tools[1]).toEqual(found.tools[0])
  })

  it('hides its newest slots from open data until all slots of a day are shown', async () => {
    for (const { server, folder } of worlds) {
      await noteMarketDelay(server.postgres, 3600)
      const openData = { folder, days: 10, licence: 'none' }
      // The day before is complete, the newest day is not shown in full.
      expect(await publish(server, openData)).toBe(1)
      await noteMarketDelay(server.postgres, 0)
      expect(await publish(server, openData)).toBe(1)
    }
  })

  it('hides its newest slots from rules on the market, and not from rules on own machines', async () => {
    const rules = [
      {
        kind: 'statistic',
        gpu_name: 'RTX 4090',
        statistic: 'avail_median',
        is: 'above',
        limit: 0.01,
        slots: 1,
      },
      {
        kind: 'statistic',
        gpu_name: 'RTX 4090',
        statistic: 'occupancy',
        is: 'above',
        limit: 0.001,
        slots: 1,
      },
    ]
    const messages: unknown[] = []
    const moments: Awaited<ReturnType<typeof readMoments>>[] = []
    for (const { server, key } of worlds) {
      await noteMarketDelay(server.postgres, 3600)
      for (const condition of rules) {
        const { status, body } = await server.send('POST', '/api/v0/alerts', key, { name: 'rule', condition })
        expect(status, JSON.stringify(body)).toBe(200)
      }
      await runRules({ ...server, snapshotInterval: interval })
      const { body } = await server.get('/api/v0/alerts/messages', key)
      const told = (body as { messages: { slot: number; entries: object[] }[] }).messages
      expect(told).toHaveLength(2)
      expect(told[0]?.slot).toBe(hour(24))
      messages.push(told.map(({ entries }) => entries))
      const market = openRuleMarket(server, { ...server, source: null })
      moments.push(
        await readMoments(server.postgres, market, {
          account: owner,
          isWanted: () => true,
          interval,
          now: hour(24) + 60,
        }),
      )
    }
    expect(messages[1]).toEqual(messages[0])
    const [one, other] = moments.map(([moment]) => moment?.known)
    expect(one).toMatchObject({ slot: hour(24), slot_before: hour(23.5) })
    expect(other?.market).toEqual(one?.market)
  })
})
