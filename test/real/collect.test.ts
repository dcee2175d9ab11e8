import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { collect } from '../../collect/collect.ts'
import { openSource } from '../../collect/open-source.ts'
import { keepToSource, siteSource } from '../../collect/site-source.ts'
import { capture } from '../../ingest/capture.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'
import { freshPostgres } from '../database.ts'
import { smallMarket } from '../market.ts'
import { faults as allFaults, openStandIn, rigsAt, type StandIn } from '../stand-in.ts'

const interval = 300
// The source of this file answers conditional requests.
const { 'status 304 without being asked for it': _, ...faults } = allFaults
const first = 1_795_000_200
const slotAt = (index: number) => first + index * interval

let databases: Awaited<ReturnType<typeof freshPostgres>>
let postgres: Postgres
let standIn: StandIn
beforeEach(async () => {
  databases = await freshPostgres()
  postgres = databases.postgres
  standIn = await openStandIn()
})
afterEach(async () => {
  standIn.close()
  await databases.close()
})

const sourceOf = (kind: string) => openSource(`${kind}=${standIn.url}`, {})
/** Takes a slot whose market the stand-in has at that time. */
async function take(index: number, { kind = 'exporter', accept = false, source = sourceOf(kind) } = {}) {
  standIn.time = slotAt(index)
  return collect(databases, source, { slot: slotAt(index), interval, accept })
}
async function slotsTaken(): Promise<number[]> {
  const { rows } = await postgres.query<{ slot: number }>('SELECT slot FROM snapshots ORDER BY slot')
  return rows.map(({ slot }) => (slot - first) / interval)
}

it('whatever goes wrong with a source, the slot is a gap and the last good slot stands', async () => {
  await keepToSource(postgres, sourceOf('exporter'))
  await take(0)
  let index = 0
  for (const [name, [fault, problem]] of Object.entries(faults)) {
    standIn.fault = fault
    await expect(take(index + 1), name).rejects.toThrow(problem)
    expect(await siteSource(postgres)).toMatchObject({
      failures: 1,
      good_slot: slotAt(index),
      machines: 40,
      problem: expect.stringMatching(problem),
    })
    expect((await slotsTaken()).at(-1)).toBe(index)

    standIn.fault = undefined
    standIn.rigs = rigsAt(40, index)
    index += 2
    await take(index)
    expect(await siteSource(postgres)).toMatchObject({ failures: 0, problem: null })
  }
  const good = Array.from({ length: index / 2 + 1 }, (_, turn) => turn * 2)
  expect(await slotsTaken()).toEqual(good)
})

it('keeps what was left out of the newest answer, by reason and with its first rows', async () => {
  await keepToSource(postgres, sourceOf('exporter'))
  const oddAt = (ids: number[]) => {
    standIn.fault = (response, body) => {
      const { offers, ...document } = JSON.parse(body)
      const changed = (offers as { machine_id: number }[]).map((offer) =>
        ids.includes(offer.machine_id) ? { ...offer, dph_base: 0 } : offer,
      )
      return Boolean(response.end(JSON.stringify({ ...document, offers: changed })))
    }
  }
  oddAt([1001, 1007])
  const reason = 'dph_base is not above zero: 0'
  const rows = [
    { place: 'row 2', reason },
    { place: 'row 8', reason },
  ]
  expect(await take(0)).toMatchObject({ rejected: 2, reasons: { [reason]: 2 }, leftOut: rows })
  expect(await siteSource(postgres)).toMatchObject({ left_out: { reasons: { [reason]: 2 }, rows } })
  standIn.fault = undefined
  await take(1)
  expect(await siteSource(postgres)).toMatchObject({ left_out: { reasons: {}, rows: [] } })
})

it('a source that is too slow is given up before the next slot', async () => {
  await keepToSource(postgres, sourceOf('exporter'))
  standIn.fault = (response) => response.writeHead(200).write('{"offers": [')
  const slow = collect(databases, sourceOf('exporter'), { slot: first, interval: 11 })
  await expect(slow).rejects.toThrow('There was no complete answer within 1 seconds.')
  expect(await slotsTaken()).toEqual([])
})

describe('half a list', () => {
  it.each([20, 29])('is refused with %d machines after 40, until an operator accepts it', async (left) => {
    await keepToSource(postgres, sourceOf('vast'))
    await take(0, { kind: 'vast' })
    standIn.rigs = rigsAt(left)
    await expect(take(1, { kind: 'vast' })).rejects.toThrow(
      `It lists ${left} machines; the last good slot had 40.`,
    )
    expect(await take(1, { kind: 'vast', accept: true })).toMatchObject({ machines: left })
    expect(await take(2, { kind: 'vast' })).toMatchObject({ machines: left })
    expect(await slotsTaken()).toEqual([0, 1, 2])
  })

  it('is refused although a moving market of the same size is accepted', async () => {
    await keepToSource(postgres, sourceOf('exporter'))
    await take(0)
    for (const [index, machines] of [30, 60, 58, 45, 34].entries()) {
      standIn.rigs = rigsAt(machines)
      expect(await take(index + 1)).toMatchObject({ machines })
    }
    standIn.rigs = rigsAt(40).map((rig) => ({ ...rig, gpu: rig.id % 3 === 0 ? '\u0007' : rig.gpu }))
    await expect(take(6)).rejects.toThrow('13 of 40 records are unusable, most of them because: gpu_name')
  })

  it('is accepted in a small market with two machines less', async () => {
    standIn.rigs = rigsAt(4)
    await keepToSource(postgres, sourceOf('exporter'))
    await take(0)
    standIn.rigs = rigsAt(2)
    expect(await take(1)).toMatchObject({ machines: 2 })
  })
})

describe('another sample of the same size', () => {
  const sampleAt = (index: number) => rigsAt(400).slice(index * 40, index * 40 + 40)

  it('is not taken for the market, until it is accepted', async () => {
    await keepToSource(postgres, sourceOf('exporter'))
    standIn.rigs = sampleAt(0)
    await take(0)
    standIn.rigs = sampleAt(1)
    await expect(take(1)).rejects.toThrow('Its list has 40 machines, of which the last good slot had 0.')
    expect(await take(1, { accept: true })).toMatchObject({ machines: 40 })
    standIn.rigs = sampleAt(2)
    expect(await take(2)).toMatchObject({ machines: 40 })
    expect(await slotsTaken()).toEqual([0, 1, 2])
  })

  it('may replace a quarter of the machines', async () => {
    await keepToSource(postgres, sourceOf('exporter'))
    await take(0)
    standIn.rigs = rigsAt(50).slice(10)
    expect(await take(1)).toMatchObject({ machines: 40 })
    standIn.rigs = rigsAt(80).slice(30)
    await expect(take(2)).rejects.toThrow('of which the last good slot had 20')
  })
})

describe('a source is left in peace', () => {
  it('it is requested once for a slot, by all workers together', async () => {
    await keepToSource(postgres, sourceOf('exporter'))
    const taken = await Promise.all([take(0), take(0), take(0)])
    expect(taken.filter(Boolean)).toHaveLength(1)
    standIn.fault = (response) => response.writeHead(500).end()
    await Promise.all(
      [take(1), take(1).catch(() => {}), take(1).catch(() => {})].map((one) => one.catch(() => {})),
    )
    expect(await take(1)).toBeUndefined()
    expect(standIn.requests).toHaveLength(2)
  })

  it('it is requested less and less often while it gives no market, at least once an hour', async () => {
    await keepToSource(postgres, sourceOf('exporter'))
    standIn.fault = (response) => response.writeHead(500).end()
    const asked: number[] = []
    for (let index = 0; index < 40; index += 1) {
      const before = standIn.requests.length
      await take(index).catch(() => {})
      if (standIn.requests.length > before) asked.push(index)
    }
    expect(asked).toEqual([0, 1, 3, 7, 15, 27, 39])
    standIn.fault = undefined
    expect(await take(40, { accept: true })).toMatchObject({ machines: 40 })
    expect(await take(41)).toMatchObject({ machines: 40 })
  })

  it('it is not requested before the time of its Retry-After', async () => {
    await keepToSource(postgres, sourceOf('exporter'))
    const now = Math.floor(Date.now() / interval / 1000) * interval
    const at = (slots: number) =>
      collect(databases, sourceOf('exporter'), { slot: now + slots * interval, interval })
    standIn.fault = (response) => response.writeHead(429, { 'retry-after': '1800' }).end('slow down')
    await expect(at(0)).rejects.toThrow('status 429')
    standIn.fault = undefined
    for (let slots = 1; slots < 6; slots += 1) expect(await at(slots)).toBeUndefined()
    expect(standIn.requests).toHaveLength(1)
    // The time of Retry-After counts from its answer, so it may end only after the next slot.
    standIn.time = now + 8 * interval
    expect(await at(8)).toMatchObject({ machines: 40 })
  })

  it('it is requested again by another process, but not at once, when a process ends meanwhile', async () => {
    await keepToSource(postgres, sourceOf('exporter'))
    await take(0)
    await postgres.query(
      `UPDATE collector SET asked_slot = $1, answered = false, asked_at = rackrate_now()`,
      [slotAt(1)],
    )
    expect(await take(1)).toBeUndefined()
    await postgres.query(`UPDATE collector SET asked_at = rackrate_now() - interval '3 minutes'`)
    expect(await take(1)).toMatchObject({ slot: slotAt(1) })

    // A process that stops in order leaves the slot to the next process.
    const stop = new AbortController()
    standIn.fault = () => stop.abort()
    const options = { slot: slotAt(2), interval, stop: stop.signal }
    await expect(collect(databases, sourceOf('exporter'), options)).rejects.toThrow(/abort/i)
    standIn.fault = undefined
    expect(await take(2)).toMatchObject({ slot: slotAt(2) })
    expect(await siteSource(postgres)).toMatchObject({ failures: 0 })
  })
})

describe('a site records one market', () => {
  it('the source of a site does not change by mistake', async () => {
    await keepToSource(postgres, undefined)
    const source = sourceOf('exporter')
    await keepToSource(postgres, source)
    await keepToSource(postgres, source)
    await expect(keepToSource(postgres, undefined)).rejects.toThrow(`This site records ${source.name}.`)
    const moved = openSource('exporter=http://other:8622', {})
    await expect(keepToSource(postgres, moved)).rejects.toThrow('a market has only one source')
    await keepToSource(postgres, moved, { replace: true })
    await keepToSource(postgres, moved)
    // A worker that still runs with the old source sends no request, and reports the reason.
    await expect(take(0, { source })).rejects.toThrow(`This site records ${moved.name}`)
    expect(standIn.requests).toEqual([])
    // A worker without a source does not record an empty market instead.
    expect(await capture(postgres, first)).toBeUndefined()
  })

  it('a site with a marketplace of its own, or a simulated one, takes no source', async () => {
    await capture(postgres, first - interval) // an empty one, as after a start without a source
    await keepToSource(postgres, sourceOf('exporter'))
    await postgres.query('DELETE FROM collector')
    await smallMarket(postgres, 3)
    await expect(keepToSource(postgres, sourceOf('exporter'))).rejects.toThrow(
      'marketplace of its own database',
    )
    await postgres.query(
      'DELETE FROM gpu_holds; DELETE FROM contracts; DELETE FROM gpu_listings; DELETE FROM machines',
    )
    await keepToSource(postgres, sourceOf('exporter'))
  })
})
