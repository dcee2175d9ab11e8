import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GpuRentalHours, RentalHoursAnswer } from '../../contract/rental-hours.ts'
import { seeded } from '../../simulate/random.ts'
import { addSeen, day } from '../daily-market.ts'
import type { MachineAtSlot } from '../oracle/history.ts'
import { startServer, type TestServer } from '../server.ts'

const start = 1_700_438_400 // Monday, 20 November 2023
const days = 29
const hour = 3600
const end = start + days * day

/** Rentals per hour of a free machine. Renters of RTX 4090 come from 12 to 24 o'clock only, of L4 at all hours alike. */
const rateAt: Record<string, (hourOfDay: number) => number> = {
  'RTX 4090': (hourOfDay) => (hourOfDay >= 12 ? 0.4 : 0.05),
  L4: () => 0.2,
  H100: () => 1,
  T4: () => 0,
}

/** Machines of one GPU each, which are rented for three hours. */
function market(): MachineAtSlot[] {
  const random = seeded(8)
  const seen: MachineAtSlot[] = []
  const names = Object.keys(rateAt)
  const until = new Map<number, number>()
  for (let slot = start; slot < end; slot += hour)
    for (let machine = 1; machine <= 60; machine += 1) {
      const gpu = names[machine % names.length] ?? ''
      const isRented = gpu === 'H100' || (until.get(machine) ?? 0) > slot
      const price = 0.3 + machine / 100
      seen.push({
        slot,
        machine,
        gpu,
        rig: 1,
        host: 10 + machine,
        verified: machine % 5 > 0,
        hosting: 'community',
        price,
        free: isRented ? 0 : 1,
        rented: isRented ? [{ gpus: 1, price }] : [],
        tflops: 10,
        dlperf: 10,
      })
      if (!isRented && random() < (rateAt[gpu]?.((slot % day) / hour) ?? 0))
        until.set(machine, slot + 4 * hour)
    }
  return seen
}

const seen = market()
let server: TestServer
beforeAll(async () => {
  server = await startServer({ seriesMaxAgeMs: 0, snapshotInterval: hour })
  await server.postgres.query('UPDATE slot_interval SET seconds = $1', [hour])
  await addSeen(server, seen)
})
afterAll(() => server?.close())

async function ask(name: string, query = ''): Promise<GpuRentalHours> {
  const path = `/api/v0/metrics/gpu/rental-hours?gpu_name=${name.replace(' ', '+')}&verified=all${query}`
  const { status, body } = await server.get(path)
  expect(status, JSON.stringify(body)).toBe(200)
  const found = (body as RentalHoursAnswer).gpus[name]
  if (!found) throw new Error(`no answer for ${name}`)
  return found
}

describe('the hours at which GPUs are rented', () => {
  it('show planted hours of whole days, with the counts of the observations', async () => {
    const found = await ask('RTX 4090')
    const [from, to] = [start, start + 28 * day]
    expect(found).toMatchObject({ from, to, reason: null })
    const own = seen.filter(({ gpu, slot }) => gpu === 'RTX 4090' && slot >= from && slot <= to)
    const freeBefore = (one: MachineAtSlot) =>
      own.some((other) => other.machine === one.machine && other.slot === one.slot - hour && other.free === 1)
    expect(found.rentals).toBe(own.filter((one) => one.free === 0 && freeBefore(one)).length)
    expect(found.exposure_gpu_hours).toBe(own.filter(({ free, slot }) => free === 1 && slot < to).length)
    expect(found.fill_rate).toBe(found.rentals / found.exposure_gpu_hours)
    expect(found.p_value).toBeLessThan(0.001)
    const { pattern } = found
    expect(pattern?.ratio).toHaveLength(168)
    expect([13, 14, 15, 16, 17]).toContain(pattern?.busiest.from)
    expect(pattern?.busiest.low).toBeGreaterThan(1)
    expect(pattern?.quietest.high).toBeLessThan(1)
    expect(pattern?.weekend.low).toBeLessThan(1)
    expect(pattern?.weekend.high).toBeGreaterThan(1)
  })

  it.each([
    ['L4', '', 'no_pattern_found'],
    ['H100', '', 'little_exposure'],
    ['T4', '', 'few_rentals'],
    ['B200', '', 'little_exposure'],
    ['RTX 4090', `&start=${end - 8 * day}&end=${end}`, 'short_range'],
    ['RTX 4090', `&start=${end + day}&end=${end + 2 * day}`, 'little_exposure'],
    ['RTX 4090', '&num_gpus=8', 'little_exposure'],
    ['RTX 4090', '&tier=deverified', 'little_exposure'],
  ])('are null for %s%s, with the reason', async (name, query, reason) => {
    expect(await ask(name, query)).toMatchObject({ reason, pattern: null })
  })

  it('count the machines of the filter only', async () => {
    const [all, verified] = [await ask('RTX 4090'), await ask('RTX 4090', '&tier=verified')]
    expect(verified.exposure_gpu_hours).toBeLessThan(all.exposure_gpu_hours)
    expect(verified.exposure_gpu_hours).toBeGreaterThan(0)
  })

  it.each([
    ['two GPU names', 'gpu_name=L4,H100', 'gpu_name must be one GPU name'],
    ['all GPU names', 'gpu_name=all', 'gpu_name must be one GPU name'],
    ['a long range until now', 'gpu_name=L4&start=0', 'start and end must be at most 92 days apart'],
    [
      'a long range',
      `gpu_name=L4&start=${start}&end=${start + 93 * day}`,
      'start and end must be at most 92 days apart',
    ],
  ])('refuse %s', async (_, query, message) => {
    const { status, body } = await server.get(`/api/v0/metrics/gpu/rental-hours?${query}`)
    expect([status, body]).toMatchObject([400, { msg: message }])
  })
})
