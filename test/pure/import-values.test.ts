import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  gpuNameOf,
  gpusOf,
  machineIdOf,
  measureOf,
  numberOf,
  pricePerGpu,
  Rejected,
} from '../../import/observation.ts'
import { readableName } from '../../import/rental-offers.ts'
import { stretches } from '../../ingest/ranges.ts'

const price = (value: unknown, gpus = 1) => pricePerGpu(value, 'price', gpus)

describe('a price per GPU', () => {
  it.each([
    ['0.898', 1, '0.898000000'],
    ['4.4233', 8, '0.552912500'],
    ['1', 3, '0.333333333'],
    ['2', 3, '0.666666667'],
    ['0.0000000005', 1, '0.000000001'],
    ['0.000000001', 2, '0.000000001'],
    [0.02666666666666667, 1, '0.026666667'],
    [1.5999999999999999, 2, '0.800000000'],
    [1e-7, 1, '0.000000100'],
    ['1.5e1', 2, '7.500000000'],
    ['.5', 1, '0.500000000'],
    ['99999.999999999', 1, '99999.999999999'],
  ])('%s for %i GPUs is %s', (value, gpus, expected) => {
    expect(price(value, gpus)).toBe(expected)
  })

  it.each([
    ['', 'price is missing'],
    [null, 'price is missing'],
    ['-1', 'price is not a price: -1'],
    ['NaN', 'price is not a price: NaN'],
    ['Infinity', 'price is not a price: Infinity'],
    ['$1', 'price is not a price: $1'],
    ['1,5', 'price is not a price: 1,5'],
    ['.', 'price is not a price: .'],
    ['0x10', 'price is not a price: 0x10'],
    [{ usd: 1 }, 'price is not a plain value'],
    ['0', 'price is not above zero: 0'],
    ['0.0000000001', 'price is not above zero: 0.0000000001'],
    ['100000', 'price is 100000 USD per GPU-hour or more: 100000'],
    ['1e99', 'price is 100000 USD per GPU-hour or more: 1e99'],
  ])('%s is rejected', (value, reason) => {
    expect(() => price(value)).toThrow(new Rejected(reason))
  })

  it('is the nearest multiple of 10⁻⁹, a tie rounded up', () => {
    const cents = fc.integer({ min: 1, max: 10 ** 9 })
    fc.assert(
      fc.property(cents, fc.integer({ min: 1, max: 1024 }), (micro, gpus) => {
        const text = `${Math.floor(micro / 1e6)}.${String(micro % 1e6).padStart(6, '0')}`
        fc.pre(micro * 1000 >= gpus)
        const nano = BigInt(price(text, gpus).replace('.', ''))
        const twice = 2n * (nano * BigInt(gpus) - BigInt(micro) * 1000n)
        expect(twice <= BigInt(gpus) && twice > -BigInt(gpus)).toBe(true)
      }),
    )
  })
})

describe('numbers', () => {
  it.each([0, 70_000, 1025, -1, 1.5, 'eight', '', '1e400', '0x8', null])(
    '%s is no number of GPUs',
    (value) => {
      expect(() => gpusOf(value, 'n')).toThrow(Rejected)
    },
  )
  it('take what JSON and CSV write', () => {
    expect([gpusOf('8', 'n'), gpusOf(8, 'n'), numberOf('1e3', 'n'), numberOf('-.5', 'n')]).toEqual([
      8, 8, 1000, -0.5,
    ])
  })
  it('are null if they were not measured', () => {
    expect([null, undefined, '', 0, '0', '82.5'].map((value) => measureOf(value, 'tflops'))).toEqual([
      null,
      null,
      null,
      null,
      null,
      82.5,
    ])
    expect(() => measureOf('fast', 'tflops')).toThrow(Rejected)
  })
  it('stand for machines, text too, each its own and exact in a double', () => {
    expect(machineIdOf('42', 'id')).toBe(42)
    const [one, other] = [machineIdOf('host-a/1', 'id'), machineIdOf('host-a/2', 'id')]
    expect(one).not.toBe(other)
    expect(machineIdOf('host-a/1', 'id')).toBe(one)
    expect(Number.isSafeInteger(one) && Number.isSafeInteger(machineIdOf('12345678901234567890', 'id'))).toBe(
      true,
    )
  })
})

describe('names of GPUs', () => {
  it.each([
    ['  RTX_4090 ', 'RTX 4090'],
    ['RTX   3060  Ti', 'RTX 3060 Ti'],
    ['A100-SXM4 (80 GB)', 'A100-SXM4 (80 GB)'],
  ])('%j is %s', (value, expected) => {
    expect(gpuNameOf(value, 'gpu')).toBe(expected)
  })
  it.each(['', '   ', '_', "x'; DROP TABLE", 'a\u0000b', '<b>', '-4090', 'x'.repeat(65), '4090 -'])(
    '%j is rejected',
    (value) => {
      expect(() => gpuNameOf(value, 'gpu')).toThrow(Rejected)
    },
  )
  it.each([
    ['rtx-4090', 'RTX 4090'],
    ['rtx-3090-ti', 'RTX 3090 Ti'],
    ['a100-pcie-80', 'A100 PCIE 80'],
    ['h100-sxm', 'H100 SXM'],
    ['rtx-6000-ada', 'RTX 6000 Ada'],
    ['rtx-pro-6000-maxq', 'RTX PRO 6000 Max-Q'],
    ['l40s', 'L40S'],
  ])('in a price list: %s is %s', (slug, expected) => {
    expect(readableName(slug)).toBe(expected)
  })
})

describe('the time to derive anew', () => {
  const day = 86_400
  it('leaves long gaps out', () => {
    const hours = [0, day, 30 * day, 31 * day].map((hour) => ({ hour, observations: 1 }))
    expect(stretches(hours)).toEqual([
      { from: 0, to: day + 3600 },
      { from: 30 * day, to: 31 * day + 3600 },
    ])
    expect(stretches([])).toEqual([])
  })
  it('is one where there are very many of them', () => {
    const hours = Array.from({ length: 60 }, (_, index) => ({ hour: index * 20 * day, observations: 1 }))
    expect(stretches(hours)).toEqual([{ from: 0, to: 59 * 20 * day + 3600 }])
  })
})
