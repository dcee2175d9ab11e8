import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../cli/system-clock.ts'
import { hostApiProblem, hostApiUrl, openHostApi } from '../../collect/host-api.ts'
import { HostApiError } from '../../collect/host-call.ts'
import { hostMachine } from '../host-accounts.ts'
import { openStandIn, type StandIn } from '../stand-in.ts'

const key = 'host-key-0123456789abcdef'
const day = 20_000

let standIn: StandIn
beforeAll(async () => {
  standIn = await openStandIn()
})
afterAll(() => standIn.close())
beforeEach(() => {
  Object.assign(standIn.accounts, { list: [], calls: [], fault: undefined, faultPath: '' })
  const account = standIn.accounts.add(key, [hostMachine(1000), hostMachine(1001, { num_gpus: 8 })])
  account.earned.set(1000, new Map([[day - 1, 4] as const, [day, 8] as const]))
  account.earned.set(1001, new Map([[day, 100] as const]))
})

const open = (given: { key?: string; url?: string; timeoutMs?: number } = {}) =>
  openHostApi({
    url: `${standIn.url}/api/v0/bundles/`,
    userAgent: 'rackrate',
    clock: systemClock,
    key,
    ...given,
  })

const failureOf = async (call: Promise<unknown>): Promise<HostApiError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof HostApiError)) throw new Error(`no HostApiError: ${error}`)
  return error
}

describe('the account of a host at a marketplace', () => {
  it('reads its machines with the key in a header', async () => {
    expect(await open().readOwnMachines()).toEqual([hostMachine(1000), hostMachine(1001, { num_gpus: 8 })])
    expect(standIn.accounts.calls).toMatchObject([
      { method: 'GET', path: '/api/v0/machines', query: { owner: 'me' }, key },
    ])
  })

  it('reads what a machine earned by day', async () => {
    expect(await open().readEarnings({ machine: 1000, from: day - 1, to: day })).toEqual([
      { day: day - 1, gpu: 3, storage: 0.5, traffic: 0.5 },
      { day, gpu: 6, storage: 1, traffic: 1 },
    ])
    expect(await open().readEarnings({ machine: 1000, from: day - 9, to: day - 5 })).toEqual([])
  })

  it('lists a machine anew with one change, all other terms as they were', async () => {
    const [machine = hostMachine(1)] = await open().readOwnMachines()
    await open().relist(machine, 0.35)
    expect(await open().readOwnMachines()).toEqual([
      { ...hostMachine(1000), listed_gpu_cost: 0.35 },
      hostMachine(1001, { num_gpus: 8 }),
    ])
    expect(standIn.rigs.find(({ id }) => id === 1000)?.price).toBe(0.35)
  })

  it('does not list a machine of which a term is not known', async () => {
    const machine = hostMachine(1000, { listed_inet_up_cost: null })
    const error = await failureOf(open().relist(machine, 0.35))
    expect(error).toMatchObject({
      failure: 'refused',
      message: expect.stringContaining('listed_inet_up_cost'),
    })
    expect(standIn.accounts.calls).toEqual([])
  })

  it('lowers a minimum bid that would be above the price', async () => {
    const machine = hostMachine(1000, { min_bid_price: 0.3 })
    await open().relist(machine, 0.25)
    expect(standIn.accounts.calls.at(-1)?.body).toMatchObject({ price_gpu: 0.25, price_min_bid: 0.25 })
    await open().relist(machine, 0.35)
    expect(standIn.accounts.calls.at(-1)?.body).toMatchObject({ price_gpu: 0.35, price_min_bid: 0.3 })
  })

  it.each([
    ['busy', 'busy'],
    ['error', 'failed'],
    ['down', 'unreachable'],
    ['half a list', 'unreadable'],
    ['cut', 'unreadable'],
    ['redirect', 'refused'],
  ] as const)('reports why there are no machines: %s', async (fault, failure) => {
    standIn.accounts.fault = fault
    expect(await failureOf(open().readOwnMachines())).toMatchObject({ failure })
  })

  it('reports the earliest next request that a marketplace accepts', async () => {
    standIn.accounts.fault = 'busy for a while'
    const { retryAt = 0 } = await failureOf(open().readOwnMachines())
    expect(Math.abs(retryAt - systemClock.now() - 120)).toBeLessThan(60)
  })

  it('reports a refused key, and never shows it', async () => {
    const other = 'another-key-0123456789'
    expect(await failureOf(open({ key: other }).readOwnMachines())).toMatchObject({ failure: 'key' })
    standIn.accounts.fault = 'refused'
    const { message, failure } = await failureOf(open().relist(hostMachine(1000), 0.3))
    expect({ message, failure }).toEqual({
      failure: 'refused',
      message: 'The marketplace refused it: not with the key …',
    })
  })

  it('reports a change with a lost answer as possibly made', async () => {
    standIn.accounts.fault = 'lost answer'
    expect(await failureOf(open().relist(hostMachine(1000), 0.3))).toMatchObject({ failure: 'unreachable' })
    standIn.accounts.fault = 'no answer'
    expect(await failureOf(open({ timeoutMs: 50 }).relist(hostMachine(1000), 0.25))).toMatchObject({
      failure: 'unreachable',
    })
    standIn.accounts.fault = undefined
    expect((await open().readOwnMachines())[0]).toMatchObject({ listed_gpu_cost: 0.25 })
  })

  it('cannot tell if a change without an answer was made, so that its caller reads the machine', async () => {
    standIn.accounts.fault = 'deaf'
    await open().relist(hostMachine(1000), 0.3)
    standIn.accounts.fault = undefined
    expect((await open().readOwnMachines())[0]).toMatchObject({ listed_gpu_cost: 0.4 })
  })

  it('accepts a key only for a marketplace that supports keys', () => {
    expect(hostApiProblem('vast=https://market.example/api/v0/bundles/')).toBeUndefined()
    expect(hostApiProblem('vast=http://127.0.0.1:80/api/v0/bundles/')).toBeUndefined()
    expect(hostApiProblem('vast=http://market.example/api/v0/bundles/')).toMatch(/not https/)
    expect(hostApiProblem('exporter=https://market.example/machines')).toMatch(/kind vast/)
    expect(hostApiUrl('vast=https://market.example/api/v0/bundles/#0123456789ab')).toBe(
      'https://market.example/api/v0/bundles/',
    )
  })
})
