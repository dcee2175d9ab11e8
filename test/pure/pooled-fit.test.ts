import fc from 'fast-check'
import { mean, standardDeviation } from 'simple-statistics'
import { describe, expect, it } from 'vitest'
import { adviseOnPrice } from '../../estimates/pooled/advise.ts'
import { bookOfOthers, openBook } from '../../estimates/pooled/books.ts'
import { bands, type CellRow, marketOf, rigOf } from '../../estimates/pooled/counts.ts'
import { drawNormals } from '../../estimates/pooled/draws.ts'
import { type Fit, fitPooled, type MachineEffect } from '../../estimates/pooled/fit.ts'
import { drawRates, drawShared, returnsAt } from '../../estimates/pooled/machine-rates.ts'
import { fitMarket, openFit } from '../../estimates/pooled/market.ts'
import { at, choleskyOf, inverseOf, solved } from '../../estimates/pooled/matrix.ts'
import { inOneGo } from '../../estimates/pooled/steps.ts'
import { termsOf } from '../../estimates/pooled/terms.ts'
import { seeded, seededFor } from '../../simulate/random.ts'
import { classed, type Machine, manyMachines, openMarket, snapshotOf } from '../pooled-market.ts'

const hour = 3600

/** The advice on each machine, from one slot. */
function adviseAll(machines: readonly Machine[], cells: readonly CellRow[] = []) {
  const fitOf = openMarket(machines, cells)
  return machines.map((machine) => {
    const of = (price: number | null) => adviseOnPrice({ id: machine.id, price }, fitOf(machine), null)
    return { machine, ...of(machine.price), start: of(null) }
  })
}

describe('the linear algebra of a fit', () => {
  it('solves and inverts symmetric positive definite matrices', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }).chain((size) =>
          fc.tuple(
            fc.constant(size),
            fc.array(fc.double({ min: -2, max: 2, noNaN: true }), {
              minLength: size * size,
              maxLength: size * size,
            }),
          ),
        ),
        ([size, root]) => {
          const matrix = new Float64Array(size * size)
          for (let one = 0; one < size; one += 1)
            for (let other = 0; other < size; other += 1)
              for (let k = 0; k < size; k += 1)
                matrix[one * size + other] =
                  at(matrix, one * size + other) +
                  (root[one * size + k] ?? 0) * (root[other * size + k] ?? 0) +
                  (one === other && k === 0 ? 1 : 0)
          const factor = choleskyOf(matrix, size)
          const inverse = inverseOf(factor, size)
          const values = Float64Array.from({ length: size }, (_, index) => index - 1)
          const found = solved(factor, values)
          for (let row = 0; row < size; row += 1) {
            const times = (vector: Float64Array, step: number, first: number) =>
              Array.from(
                { length: size },
                (_, k) => at(matrix, row * size + k) * at(vector, first + k * step),
              ).reduce((sum, one) => sum + one, 0)
            expect(times(found, 1, 0)).toBeCloseTo(at(values, row), 6)
            for (let column = 0; column < size; column += 1)
              expect(times(inverse, size, column)).toBeCloseTo(row === column ? 1 : 0, 6)
          }
        },
      ),
      { numRuns: 200 },
    )
  })
})

/** Draws of the rates of a rig with one GPU. */
const drawnRates = (fit: Fit, own?: MachineEffect): number[][] =>
  drawRates(drawShared(fit, seeded(1)), fit, {
    rig: rigOf({ ...classed, num_gpus: 1 }, 0),
    own,
    luck: drawNormals(seeded(2)),
  }).map((draws) => [...draws])

describe('the pooled rates of a market', () => {
  it('recover known rates from counts, and hold them in their intervals', () => {
    // A market of λ = 0.08 e^(−2 share) and μ = 0.04 an hour, counted exactly as expected.
    const machines = manyMachines(60, () => ({ num_gpus: 1 }))
    const cells = machines.flatMap(({ id, gpu_name, num_gpus }) =>
      [2, 7, 12, 17].map((band): CellRow => {
        const [exposed, share] = [400 * hour, (band + 0.5) / bands]
        return {
          ...classed,
          id,
          gpu_name,
          num_gpus,
          band,
          exposed_seconds: exposed,
          share: share * exposed,
          dearness: 0,
          cosine: 0,
          sine: 0,
          weekend: (exposed * 2) / 7,
          rented_gpus: 32 * Math.exp(-2 * share),
          rented_squares: 32 * Math.exp(-2 * share),
          held_seconds: 300 * hour,
          returned_gpus: 12,
        }
      }),
    )
    const counted = inOneGo(marketOf(cells, []))
    const fit = inOneGo(fitPooled(inOneGo(termsOf(counted.market))))
    const rates = drawnRates(fit, fit.machines.get(0))
    for (const knot of [2, 4, 6, 8]) {
      const off = mean(rates[knot] ?? []) - (Math.log(0.08) - 0.2 * knot)
      expect(Math.abs(off)).toBeLessThan(0.1)
    }
    expect(Math.abs(mean(rates[returnsAt] ?? []) - Math.log(0.04))).toBeLessThan(0.05)
    // The estimate is uncertain by about 1 ÷ √(number of contracts), and never certain.
    expect(standardDeviation(rates[0] ?? [])).toBeGreaterThan(0.01)
  })

  it('are fitted in many steps, which leave other work its turn', () => {
    const first = snapshotOf(manyMachines(60))
    const steps = fitMarket({ days: 0.01, cells: [], first, books: new Map(), newest: [] }, seeded(1))
    let count = 0
    while (!steps.next().done) count += 1
    expect(count).toBeGreaterThan(10)
  })

  it('know less of a machine without counts than of one with them', () => {
    const machines = manyMachines(60)
    const counted = inOneGo(marketOf([], snapshotOf(machines)))
    const fit = inOneGo(fitPooled(inOneGo(termsOf(counted.market))))
    const spreadOf = (own?: MachineEffect) => standardDeviation(drawnRates(fit, own)[0] ?? [])
    expect(spreadOf()).toBeGreaterThan(spreadOf(fit.machines.get(0)))
  })
})

describe('the book without the own offer', () => {
  it('counts the GPUs that cost less, with the own ones as part of all', () => {
    const book = { prices: [1, 2, 2, 3], gpus: [1, 2, 4, 8], machines: [1, 2, 3, 4], block: 0, weight: 1 }
    const others = bookOfOthers(openBook(book), { id: 3, gpus: 4 })
    expect([1, 2, 2.5, 9].map((price) => others.at(price).share)).toEqual([0, 1 / 15, 3 / 15, 11 / 15])
    expect(others.at(1).others).toBe(11)
    expect(
      bookOfOthers(openBook({ ...book, prices: [], gpus: [], machines: [] }), { id: 1, gpus: 2 }),
    ).toMatchObject({
      lowest: Number.POSITIVE_INFINITY,
    })
  })
})

describe('advice from one snapshot', () => {
  it('is a price within a step where hosts change all prices at every slot', () => {
    const machines = manyMachines(60)
    const cells = machines.flatMap((machine) =>
      Array.from({ length: bands }, (_, band): CellRow => {
        const share = (band + 0.5) / bands
        const none = { cosine: 0, sine: 0, weekend: 0, held_seconds: 0, returned_gpus: 0 }
        const seconds = 900 * machine.num_gpus
        return {
          ...classed,
          ...none,
          id: machine.id,
          gpu_name: machine.gpu_name,
          num_gpus: machine.num_gpus,
          band,
          exposed_seconds: seconds,
          share: seconds * share,
          dearness: seconds * 6 * (share - 0.5),
          rented_gpus: 0,
          rented_squares: 0,
        }
      }),
    )
    for (const { decision, machine, income } of adviseAll(machines, cells)) {
      for (const end of [income?.value, income?.low, income?.high]) expect(end).toBeGreaterThan(0)
      if (decision.price !== null)
        expect(Math.abs(decision.price / machine.price - 1)).toBeLessThanOrEqual(0.2 + 1e-9)
    }
  })

  it('is unknown in a market without machines', () => {
    const nothing = { days: 0.01, cells: [], first: [], books: new Map(), newest: [] }
    const { fit, products } = inOneGo(fitMarket(nothing, seeded(1)))
    const machine = { ...classed, id: 1, gpu_name: 'RTX 4090', num_gpus: 1 }
    expect(openFit(fit, (of) => seededFor(1, of))(machine, products)).toBeNull()
  })

  it('never leads further away from the median of a GPU type where prices are far from it', () => {
    const isDear = (index: number) => index % 4 === 0
    const price = (index: number) => ({ price: isDear(index) ? 4 + 0.05 * index : 0.3 + 0.001 * index })
    const dear = adviseAll(manyMachines(240, price)).filter(({ machine }) => machine.price > 3)
    expect(dear.length).toBe(60)
    for (const { decision, machine } of dear) expect(decision.price ?? 0).toBeLessThanOrEqual(machine.price)
  })

  it('is given for every machine of a market, and never goes further than a step', () => {
    const found = adviseAll(manyMachines(90))
    for (const { decision, machine, grade, income, wait, trial, start } of found) {
      expect(grade).toBe('first_snapshot')
      expect(income?.low).toBeGreaterThan(0)
      expect(Math.abs((decision.price ?? machine.price) / machine.price - 1)).toBeLessThanOrEqual(0.2 + 1e-9)
      const chances = wait?.chances.map(({ chance }) => chance) ?? []
      expect(chances).toEqual(chances.toSorted((one, other) => one - other))
      expect(wait?.hours).toBeLessThan(wait?.long_hours ?? 0)
      expect(trial === null).toBe(decision.verdict !== 'try')
      if (trial) expect(trial.cost).toBeCloseTo(-trial.days * Math.min(0, decision.gain_per_day?.low ?? 0), 9)
      // A machine without a price starts at one that others ask.
      expect(start).toMatchObject({ decision: { verdict: 'start' }, income: null })
      expect(start.decision.price).toBeGreaterThanOrEqual(0.3)
      expect(start.decision.price).toBeLessThanOrEqual(0.49)
    }
    expect(found.filter(({ decision }) => decision.verdict !== 'unknown').length).toBeGreaterThan(60)
  })

  it.each([
    ['one machine', manyMachines(1)],
    ['one GPU type', manyMachines(40, () => ({ gpu_name: 'RTX 4090' }))],
    ['nothing rented', manyMachines(40, () => ({ rented: 0 }))],
    ['everything rented', manyMachines(40, (index) => ({ rented: [1, 2, 4, 8][index % 4] ?? 1 }))],
    ['equal prices', manyMachines(40, () => ({ price: 0.5 }))],
    ['prices of all sizes', manyMachines(40, (index) => ({ price: 10 ** (index % 7) / 1000 }))],
  ])('is a price within a step or a reason in a market of %s', (_, machines) => {
    for (const { decision, machine, income, start } of adviseAll(machines)) {
      const { verdict, price, gain_per_day, obstacle } = decision
      for (const end of [income?.value, income?.low, income?.high]) expect(end).toBeGreaterThan(0)
      const prices = machines.map((one) => one.price)
      if (start.decision.price !== null) {
        expect(start.decision.price).toBeGreaterThanOrEqual(Math.min(...prices))
        expect(start.decision.price).toBeLessThanOrEqual(Math.max(...prices))
      }
      if (verdict === 'unknown') {
        expect([price, gain_per_day]).toEqual([null, null])
        expect(obstacle).not.toBeNull()
      } else {
        expect(Math.abs((price ?? 0) / machine.price - 1)).toBeLessThanOrEqual(0.2 + 1e-9)
        expect(gain_per_day?.value).toBeGreaterThanOrEqual(0)
      }
    }
  })
})
