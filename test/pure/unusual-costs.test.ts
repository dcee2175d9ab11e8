import { describe, expect, it } from 'vitest'
import { type Costs, noCosts } from '../../contract/cost-fields.ts'
import { costsOf } from '../../estimates/costs.ts'
import { unusualCosts } from '../../estimates/unusual-costs.ts'

const usual: Costs = { ...noCosts, kwh_price: 0.3, watts_idle: 100, watts_load: 500, fee_percent: 25 }
const typo: Costs = { ...usual, kwh_price: 3, watts_load: 5000 }

/** Some machines with prices, one GPU each. */
const unusual = (before: Costs | undefined, now: Costs, prices: readonly (number | null)[] = [0.4]) =>
  unusualCosts({
    before,
    now,
    machines: prices.map((price, index) => {
      const machine = { id: index + 1, num_gpus: 1, gpu_name: 'RTX 4090', price }
      return {
        ...machine,
        before: costsOf(before, undefined, machine),
        now: costsOf(now, undefined, machine),
      }
    }),
  })

describe('costs that must be confirmed', () => {
  it('are 3 USD a kWh and 5 kW with a fee of 25 %, and the floor that they make', () => {
    expect(unusual(undefined, typo, [0.0629])).toEqual([
      'kwh_price is 3, and usually at most 1 USD per kWh',
      'watts_load is 5000, and usually at most 2000 W for each of 1 GPUs',
      'the floor of machine 1 would be $19.6, 312 times its price of $0.0629',
    ])
  })

  it('are the worst floor and the number of the others', () => {
    expect(unusual(undefined, { ...usual, kwh_price: 0.9 }, [0.1, 0.2, 0.4, null])).toEqual([
      'the floor of machine 1 would be $0.48, 4.8 times its price of $0.1, and 1 more are above twice their price',
    ])
  })

  it('do not include costs of a usual machine, or of a machine without a price', () => {
    expect(unusual(undefined, usual)).toEqual([])
    expect(unusual(undefined, { ...usual, kwh_price: 1 }, [null])).toEqual([])
  })

  it('are confirmed once: an unchanged value needs no further confirmation', () => {
    expect(unusual(typo, typo, [0.0629])).toEqual([])
    expect(unusual(typo, { ...typo, other_per_month: 20 }, [0.0629])).toEqual([])
    expect(unusual(typo, { ...typo, kwh_price: 4 }, [0.0629])).toHaveLength(2)
  })
})
