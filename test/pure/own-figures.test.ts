import { describe, expect, it } from 'vitest'
import { adviseOn, type ClassFlow } from '../../src/metrics/machines/advice.ts'
import { compareWithSet, type HostInClass } from '../../src/metrics/machines/comp-set.ts'

const own = { all_gpus: 100, rented_gpus: 50, value: 30 }
const host = (id: number, machines: number, all_gpus: number, rented_gpus = all_gpus * 0.4): HostInClass => ({
  ...{ gpu_name: 'L4', num_gpus: 4, verified: true, hosting_type: 'community', host: id },
  ...{ machines, all_gpus, rented_gpus, value: rented_gpus * 0.5 },
})

describe('the comp set', () => {
  it('compares occupancy, price and revenue', () => {
    // Own occupancy 0.5 at 0.60, the set's 0.4 at 0.50: the example of docs/numbers.md.
    const set = [host(2, 2, 100), host(3, 1, 100), host(4, 1, 100)]
    expect(compareWithSet(own, set)).toEqual({ mpi: 125, ari: 120, rgi: 150, reason: null })
    expect(compareWithSet({ ...own, rented_gpus: 0, value: 0 }, set)).toEqual({
      mpi: 0,
      ari: null,
      rgi: 0,
      reason: null,
    })
  })

  it.each([
    ['few_machines', [host(2, 1, 100), host(3, 1, 100), host(4, 1, 100)]],
    ['few_hosts', [host(2, 2, 100), host(3, 2, 100)]],
    ['dominant_host', [host(2, 2, 201), host(3, 1, 100), host(4, 1, 100)]],
    ['not_rented', [host(2, 2, 100, 0), host(3, 1, 100, 0), host(4, 1, 100, 0)]],
  ])('is not told with %s', (reason, set) => {
    expect(compareWithSet(own, set)).toEqual({ mpi: null, ari: null, rgi: null, reason })
  })

  it('is not told of a machine that was not seen', () => {
    expect(compareWithSet({ all_gpus: 0, rented_gpus: 0, value: 0 }, [])).toMatchObject({
      reason: 'not_seen',
    })
  })
})

describe('advice', () => {
  const machine = { gpu_name: 'L4', num_gpus: 4, verified: true, hosting_type: 'community', price: 0.5 }
  const book = Array.from({ length: 20 }, (_, n) => ({ price: 0.1 + n * 0.05, gpus: 4 }))
  const flow = (of: Partial<ClassFlow>): ClassFlow => ({
    ...{ ...machine, position: 3, exposed_seconds: 1000 * 3600, rented_gpus: 50 },
    ...{ held_seconds: 1000 * 3600, returned_gpus: 50 },
    ...of,
  })
  const everywhere = (of: Partial<ClassFlow> = {}) =>
    Array.from({ length: 10 }, (_, position) => flow({ position, ...of }))

  it('is income at the price of the machine, and the best of the curve', () => {
    const {
      income,
      curve,
      best_price,
      position,
      reason,
      hours_to_rent,
      class: of,
    } = adviseOn(machine, everywhere(), book)
    expect([position, reason, hours_to_rent]).toEqual([3, null, 20])
    // Rented and returned at the same rate: half of the time.
    expect(income?.value).toBeCloseTo(0.5 * 4 * 720 * 0.5, 9)
    expect(best_price?.price).toBe(Math.max(...curve.map(({ price }) => price)))
    expect(of).toEqual({ verified: true, hosting_type: 'community', num_gpus: 4, widened: false })
  })

  it.each([
    [{ num_gpus: 8 }, { verified: true, hosting_type: 'community', num_gpus: null, widened: true }],
    [{ hosting_type: 'secure_cloud' }, { verified: true, hosting_type: null, num_gpus: null, widened: true }],
    [{ verified: false }, { verified: null, hosting_type: null, num_gpus: null, widened: true }],
  ])('widens its class when it is thin: only %j was seen', (seen, widened) => {
    expect(adviseOn(machine, everywhere(seen), book)).toMatchObject({ class: widened, reason: null })
  })

  it('says why there is none', () => {
    expect(adviseOn(machine, [], book)).toMatchObject({
      income: null,
      best_price: null,
      reason: 'little_exposure',
    })
    expect(adviseOn(machine, everywhere({ rented_gpus: 4 }), book)).toMatchObject({
      income: null,
      reason: 'few_rentals',
    })
    expect(adviseOn(machine, everywhere({ held_seconds: 0, returned_gpus: 0 }), book)).toMatchObject({
      income: null,
      reason: 'no_returns',
    })
  })
})
