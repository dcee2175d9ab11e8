import { afterAll, beforeAll, expect, it } from 'vitest'
import type { z } from 'zod'
import type { adviceRecordAnswer } from '../../contract/advice-record.ts'
import type { FleetAdviceAnswer } from '../../contract/fleet-advice.ts'
import type { machinesAnswer } from '../../contract/machines.ts'
import type { StartAnswer } from '../../contract/start-price.ts'
import { createKey } from '../../platform/security/api-keys.ts'
import { openHistory, type SimulatedHistory } from '../../simulate/history.ts'
import { keepAdvice } from '../../src/hosts/advice/keep-advice.ts'
import { openMarkets } from '../../src/rules/markets.ts'
import { addSeen, day } from '../daily-market.ts'
import type { MachineAtSlot } from '../oracle/history.ts'
import { startServer, type TestServer } from '../server.ts'

const interval = 3600
const begin = 1_795_046_400
const [account, stranger] = [1001, 1002]
const [known, watched] = [9 * day, 7 * day + interval]

let server: TestServer
let history: SimulatedHistory
let slot = begin
/** The prices that hosts keep, by machine. */
const held = new Map<number, number>()
const keys = new Map<number, string>()

beforeAll(async () => {
  history = openHistory({ seed: 5, size: 150, anchor: begin + 20 * day, past: 20 * day, interval })
  await history.leadTo(begin)
  server = await startServer({ snapshotInterval: interval, seriesMaxAgeMs: 0 })
  const { postgres } = server
  await postgres.query('UPDATE slot_interval SET seconds = $1', [interval])
  for (const id of [account, stranger]) {
    await postgres.query('INSERT INTO accounts (id, name, is_host) VALUES ($1, $2, true)', [id, `host ${id}`])
    keys.set(id, (await createKey(postgres, { accountId: id })).key)
  }
  for (const { id, type, numGpus, verification, secure, price } of history.market.machines.slice(0, 30)) {
    held.set(id, price)
    const values = [id, account, type.name, numGpus, verification, secure ? 'secure_cloud' : 'community']
    await postgres.query(
      `INSERT INTO machines (id, account_id, gpu_name, num_gpus, gpu_ram, tflops, dlperf, disk_space, verification, hosting_type)
       VALUES ($1, $2, $3, $4, 24576, 10, 10, 1000, $5, $6)`,
      values,
    )
    await postgres.query('INSERT INTO gpu_listings (machine_id, price) VALUES ($1, $2)', [id, price])
  }
  await observe(known)
})
afterAll(() => server?.close())

/** Adds the observations of some time. Own machines keep their prices. */
async function observe(seconds: number): Promise<void> {
  const seen: MachineAtSlot[] = []
  for (const end = slot + seconds; slot < end; slot += interval) {
    for (const machine of history.market.machines) {
      machine.price = held.get(machine.id) ?? machine.price
      if (machine.online) seen.push(observed(machine, slot))
    }
    history.next()
  }
  await addSeen(server, seen, `${slot}`)
}

function observed(machine: SimulatedHistory['market']['machines'][number], at: number): MachineAtSlot {
  const { id, type, numGpus, verification, secure, rentals, free, price } = machine
  return {
    slot: at,
    machine: id,
    host: held.has(id) ? account : 2000 + id,
    gpu: type.name,
    rig: numGpus,
    verified: verification === 'verified',
    hosting: secure ? 'secure_cloud' : 'community',
    free,
    price,
    rented: rentals.map(({ gpus, price }) => ({ gpus: gpus.length, price })),
    tflops: 10,
    dlperf: 10,
  }
}

const keep = async () => {
  const [market] = openMarkets(server)
  return market ? keepAdvice(market, { site: server.postgres, interval }) : undefined
}
const read = async <Body>(path: string, id = account) => {
  const { status, body } = await server.get(`/api/v0/metrics/machines${path}`, keys.get(id))
  expect(status).toBe(200)
  return body as Body
}
const record = (id?: number) => read<z.infer<typeof adviceRecordAnswer>>('/advice/record', id)
const machines = async () => (await read<z.infer<typeof machinesAnswer>>('')).machines
const near = (value: number) => expect.closeTo(value, 6)

it('the record has no advice before a worker kept some', async () => {
  expect(await record()).toMatchObject({
    followed: { count: 0, before_per_day: null, claimed_per_day: null, coverage: null },
    advice: [],
  })
})

it('advice to change a price is kept once a day as it was given', async () => {
  await server.clock.hold(slot)
  expect(await keep()).toBe(1)
  expect(await keep()).toBe(0)
  const advised = (await machines()).filter(({ figures }) =>
    ['raise', 'lower', 'try'].includes(figures?.advice.verdict ?? ''),
  )
  expect(advised.length).toBeGreaterThan(3)
  const { advice } = await record()
  expect(advice.map(({ machine_id }) => machine_id)).toEqual(
    advised.map(({ id }) => id).sort((a, b) => a - b),
  )
  for (const { id, price, figures } of advised)
    expect(advice.find(({ machine_id }) => machine_id === id)).toMatchObject({
      given_at: slot - interval,
      verdict: figures?.advice.verdict,
      price,
      advised: figures?.advice.price,
      gain_per_day: figures?.advice.gain_per_day,
      followed: null,
      after_per_day: null,
    })
  expect((await record(stranger)).advice).toEqual([])
})

it('advice on the fleet has the changes of the list of machines, and one sum with its interval', async () => {
  const fleet = await read<FleetAdviceAnswer>('/advice')
  const all = await machines()
  const changed = all.filter(
    ({ price, figures }) => figures?.advice.price != null && figures.advice.price !== price,
  )
  expect(fleet.changes.map(({ machine_id }) => machine_id).sort((a, b) => a - b)).toEqual(
    changed.map(({ id }) => id).sort((a, b) => a - b),
  )
  expect(fleet.machines).toBe(all.length)
  const alone = changed.reduce((sum, { figures }) => sum + (figures?.advice.gain_per_day?.value ?? 0), 0)
  const { value = 0, low = 0, high = 0 } = fleet.gain_per_day ?? {}
  expect(value).toBeCloseTo(alone + fleet.effect_per_day, 6)
  expect(low).toBeLessThan(value)
  expect(high).toBeGreaterThan(value)
  const ofTypes = fleet.types.reduce((sum, { gain_per_day }) => sum + (gain_per_day?.value ?? 0), 0)
  expect(ofTypes).toBeCloseTo(value, 6)
  for (const { gpu_name, machines, held } of fleet.types) {
    const of = all.filter((one) => one.gpu_name === gpu_name)
    expect(machines).toBe(of.length)
    for (const id of held) expect(of.find((one) => one.id === id)?.figures?.advice.verdict).toBe('keep')
  }
  expect(fleet.reason).toContain(`${changed.length} prices to change`)
  // The advice on a machine is the same alone as in the list.
  for (const { id, figures } of changed.slice(0, 5)) {
    const [one] = (await read<z.infer<typeof machinesAnswer>>(`?id=${id}`)).machines
    expect(one?.figures?.advice).toEqual(figures?.advice)
  }
  expect(await read<FleetAdviceAnswer>('/advice', stranger)).toMatchObject({
    machines: 0,
    gain_per_day: null,
    changes: [],
    reason: 'No price to change.',
  })
})

it('a machine that the account does not have has a price to begin with and a step down', async () => {
  const [first] = await machines()
  if (!first) throw new Error('no machine')
  const path = `/start?gpu_name=${encodeURIComponent(first.gpu_name.toLowerCase())}&num_gpus=2&verified=no`
  const answer = await read<StartAnswer>(path, stranger)
  expect(answer.machine).toEqual({
    gpu_name: first.gpu_name,
    num_gpus: 2,
    gpu_memory: 0,
    verified: false,
    hosting_type: 'unknown',
  })
  const { price, income_per_day, wait, step, obstacle, reason } = answer
  if (price === null || !income_per_day || !wait || !step) throw new Error('no price')
  expect(obstacle).toBeNull()
  expect(income_per_day.value).toBeLessThan(24 * 2 * price)
  expect(step.after_hours).toBe(wait.long_hours)
  expect(step.price).toBeLessThan(price)
  expect(step.price).toBeGreaterThanOrEqual(0.8 * price)
  expect(reason).toMatch(/^Start at \$[\d.]+\. In the long run it earns about/)
  expect(await read<StartAnswer>('/start?gpu_name=nothing', stranger)).toMatchObject({
    price: null,
    obstacle: 'no_market',
  })
  const wrong = await server.get('/api/v0/metrics/machines/start', keys.get(stranger))
  expect(wrong.status).toBe(400)
})

it('a week later the record has whether advice was followed, and the income before and after', async () => {
  const [first] = (await record()).advice
  if (!first) throw new Error('no advice')
  held.set(first.machine_id, first.advised)
  await server.postgres.query('UPDATE gpu_listings SET price = $2 WHERE machine_id = $1', [
    first.machine_id,
    first.advised,
  ])
  await observe(watched)
  await server.clock.hold(slot)
  expect(await keep()).toBe(1)
  const { advice, followed, not_followed } = await record()
  const judged = advice.filter((one) => one.given_at === first.given_at)
  const figuresOf = new Map((await machines()).map(({ id, figures }) => [id, figures]))
  for (const one of judged) {
    const figures = figuresOf.get(one.machine_id)
    expect(one.followed).toBe(one.machine_id === first.machine_id)
    expect(one.after_per_day).toEqual(
      near(((figures?.income_7d ?? 0) * day) / (figures?.covered_seconds['7d'] ?? 0)),
    )
  }
  const after = judged.find(({ machine_id }) => machine_id === first.machine_id)?.after_per_day ?? Number.NaN
  const { low = 0, high = 0 } = first.gain_per_day ?? {}
  const change = after - first.before_per_day
  expect(followed).toMatchObject({
    count: 1,
    before_per_day: near(first.before_per_day),
    after_per_day: near(after),
    claimed_per_day: first.gain_per_day,
    coverage: Number(change >= low && change <= high),
  })
  expect(not_followed.count).toBe(judged.length - 1)
})
