import { describe, expect, it } from 'vitest'
import { findPlanted } from '../../bench/worth.ts'
import { contrastOf, fitRidge } from '../../estimates/ridge.ts'
import { worthOf } from '../../estimates/worth.ts'
import type { WorthMachine } from '../../estimates/worth-factors.ts'
import { seeded } from '../../simulate/random.ts'
import { regressionOf } from '../oracle/worth.ts'

const base: WorthMachine = {
  group: 'RTX 4090 24',
  host: '1',
  gpus: 1,
  place: 'DE',
  tier: 'verified',
  isDatacenter: false,
  specs: {},
  days: 30,
  rented: 100,
  avail: 100,
  paid: 40,
  asked: 40,
}

/** Machines of which every second one has a static address, and is paid and rented by a factor more. */
const halves = (count: number, { price = 1, seed = 1 } = {}): WorthMachine[] => {
  const random = seeded(seed)
  return Array.from({ length: count }, (_, index) => {
    const has = index % 2 === 0
    return {
      ...base,
      group: index % 3 ? 'RTX 4090 24' : 'H200 141',
      host: `${index % 40}`,
      specs: { static_ip: has, inet_up: 100 + 900 * random() },
      paid: 40 * (has ? price : 1) * (0.95 + 0.1 * random()),
      asked: 40 * (0.95 + 0.1 * random()),
      rented: 80 + Math.floor(40 * random()),
    }
  })
}

describe('the regression within groups', () => {
  it('agrees with its definition', () => {
    const random = seeded(5)
    const rows = Array.from({ length: 60 }, (_, index) => ({
      x: [random(), random() < 0.3 ? 1 : 0, random() ** 3],
      y: random(),
      group: `${index % 4}`,
      cluster: `${Math.floor(index / 3)}`,
    }))
    const expected = regressionOf({ rows })
    const fit = fitRidge({
      columns: 3,
      rows: Float64Array.from(rows.flatMap(({ x }) => x)),
      outcome: Float64Array.from(rows, ({ y }) => y),
      groups: rows.map(({ group }) => group),
      clusters: rows.map(({ cluster }) => cluster),
    })
    expected.coefficients.forEach((value, one) => {
      expect(fit.coefficients[one]).toBeCloseTo(value, 10)
      expected.covariance[one]?.forEach((cell, other) => {
        expect(fit.covariance[3 * one + other]).toBeCloseTo(cell, 10)
      })
    })
  })

  it('the example of docs/numbers.md holds', () => {
    const prices = [0.4, 0.42, 0.44, 0.46, 2, 2.1, 2.3, 2.4]
    const fit = fitRidge({
      columns: 1,
      rows: Float64Array.from([0, 0, 1, 1, 0, 0, 1, 1]),
      outcome: Float64Array.from(prices, Math.log),
      groups: ['RTX 4090', 'RTX 4090', 'RTX 4090', 'RTX 4090', 'H200', 'H200', 'H200', 'H200'],
      clusters: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
    })
    const { value, error } = contrastOf(fit, Float64Array.of(1))
    expect({ value, error, worth: Math.expm1(value) }).toEqual({
      value: expect.closeTo(0.1021, 4),
      error: expect.closeTo(0.0236, 4),
      worth: expect.closeTo(0.1075, 4),
    })
  })
})

describe('worth', () => {
  const named = (machines: readonly WorthMachine[]) =>
    worthOf(machines).factors.filter(({ price }) => price.value !== null)

  it('has a value for a spec that renters pay for, within its GPU type', () => {
    const [found, ...others] = named(halves(200, { price: 1.1 }))
    expect(found).toMatchObject({
      kind: 'spec',
      name: 'static_ip',
      unit: 'yes',
      machines: 100,
      fill: { value: null },
    })
    expect(found?.price.value).toBeCloseTo(0.1, 1)
    expect(found?.price.low).toBeGreaterThan(0)
    expect(others).toEqual([])
  })

  it('is null where the interval contains 0, and the interval stays', () => {
    const { factors } = worthOf(halves(200))
    const found = factors.find(({ name }) => name === 'static_ip')
    expect(found).toMatchObject({ price: { value: null }, price_reason: 'not_distinct' })
    expect(found?.price.low).toBeLessThan(0)
    expect(found?.price.high).toBeGreaterThan(0)
  })

  it.each([
    ['few_machines', halves(49)],
    ['few_hosts', halves(80).map((one, index) => ({ ...one, host: `${index % 9}` }))],
  ])('has no factors with the reason %s', (reason, machines) => {
    expect(worthOf(machines)).toMatchObject({ reason, factors: [] })
  })

  it('is null where few machines have a spec, all have it, or it is not known', () => {
    const machines = halves(200, { price: 1.1 }).map((one, index) => ({
      ...one,
      place: index < 19 ? 'FR' : index < 60 ? 'DE' : '',
      specs: { ...one.specs, disk_space: 500, pcie_bw: null },
    }))
    const { factors } = worthOf(machines)
    const of = (name: string) => factors.find((factor) => factor.name === name)
    expect(of('FR')).toMatchObject({
      price: { value: null, low: null },
      price_reason: 'few_machines',
      machines: 19,
    })
    expect(of('DE')).toMatchObject({ price_reason: 'not_distinct', machines: 41 })
    expect(of('disk_space')).toMatchObject({ price_reason: 'alike', fill_reason: 'alike', machines: 200 })
    expect(of('pcie_bw')).toMatchObject({ price_reason: 'few_machines', machines: 0 })
    expect(of('deverified')).toMatchObject({ price_reason: 'alike' })
  })

  it('has the sign of planted premiums, and names none where none is planted', () => {
    const found = findPlanted([1, 2, 3], 1500)
    const { premiums, wrong } = found['all GPU types'] ?? {}
    for (const name of ['static_ip', 'disk_bw', 'US'])
      expect(premiums?.[name], name).toEqual({ carried: 3, right: 3 })
    expect(wrong).toBe(0)
  })
})
