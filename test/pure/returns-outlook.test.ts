import { describe, expect, it } from 'vitest'
import { normal } from '../../estimates/normal.ts'
import { type ClassMonth, monthOf, movementOf, outlookOf } from '../../estimates/returns-outlook.ts'
import { seeded } from '../../simulate/random.ts'

const month = (income: number, spread = 0, machines = 30): ClassMonth => ({ machines, income, spread })

describe('the income of the next month', () => {
  it('the example of docs/numbers.md holds', () => {
    const { value, low, high } = outlookOf(month(9 / 24, 0.0036, 28), { kept: 0.3, drift: 0.0056 })
    expect(value).toBeCloseTo(9, 9)
    expect(low).toBeCloseTo(7.51, 2)
    expect(high).toBeCloseTo(10.78, 2)
  })

  it('moves as the months before did', () => {
    const random = seeded(3)
    const classes = Array.from({ length: 400 }, () => {
      const spread = 0.004 + 0.02 * random()
      const income = Math.exp(normal(random))
      const moved = (of: number) => of * Math.exp(Math.sqrt(0.5 * 2 * spread + 0.005) * normal(random))
      const second = moved(income)
      return [month(income, spread), month(second, spread), month(moved(second), spread)]
    })
    const movement = movementOf(classes)
    expect(movement?.kept).toBeCloseTo(0.5, 0)
    expect(movement?.drift).toBeGreaterThan(0.003)
    expect(movement?.drift).toBeLessThan(0.008)
  })

  it('is unknown from fewer than 20 changes of classes of 5 machines with income', () => {
    const steady = [month(1), month(1.1)]
    expect(movementOf(Array.from({ length: 19 }, () => steady))).toBeNull()
    expect(movementOf(Array.from({ length: 20 }, () => steady))).not.toBeNull()
    expect(movementOf(Array.from({ length: 20 }, () => [month(1, 0, 4), month(1.1)]))).toBeNull()
    expect(movementOf(Array.from({ length: 20 }, () => [month(0), month(1.1)]))).toBeNull()
    expect(movementOf(Array.from({ length: 20 }, () => [null, month(1.1)]))).toBeNull()
  })

  it('a month has the mean income and its variance over machines', () => {
    // Two machines of 10 GPU-hours earn 4 and 6: the mean is 0.5, its variance 2 × (1 + 1) ÷ 20².
    const found = monthOf({ machines: 2, paid: 10, hours: 20, squares: 52, products: 100, sizes: 200 })
    expect(found).toEqual({ machines: 2, income: 0.5, spread: expect.closeTo((2 * 2) / 20 ** 2 / 0.25, 12) })
    expect(monthOf({ machines: 1, paid: 4, hours: 10, squares: 16, products: 40, sizes: 100 })).toBeNull()
    expect(monthOf({ machines: 3, paid: 0, hours: 10, squares: 0, products: 0, sizes: 40 })).toBeNull()
  })
})
