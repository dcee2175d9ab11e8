import fc from 'fast-check'
import { expect, it } from 'vitest'
import { soldMemory, soldSizes } from '../../contract/gpu-memory.ts'
import { cloudMemoryOf, gpuTypes } from '../../contract/gpu-types.ts'
import { classKey, filtersOfClass, ofProduct, passing, widenedNames } from '../../contract/market-filter.ts'
import { setOf } from '../../src/hosts/machines/comp-set.ts'

it.each([
  ['A100 SXM4', 39_936, 40],
  ['A100 SXM4', 40_537, 40],
  ['A100 SXM4', 40_960, 40],
  ['A100 SXM4', 81_251, 80],
  ['A100 SXM4', 81_920, 80],
  ['RTX 4090', 24_564, 24],
  ['RTX 4090', 49_140, 48],
  ['RTX A6000 with error correction', 46_068, 48],
  ['A10G', 22_731, 24],
  ['RTX 3080', 10_018, 10],
  ['RTX 2080 Ti', 11_019, 11],
  ['Tesla K80', 11_441, 12],
  ['Tesla T4', 15_109, 16],
  ['H100 NVL', 95_830, 94],
  ['RTX PRO 6000 WS', 97_887, 96],
  ['H200', 143_771, 141],
  ['GH200', 146_831, 144],
  ['B200', 183_359, 192],
  ['B200', 196_608, 192],
  ['B300', 275_040, 288],
  ['a part of a GPU', 9728, 10],
  ['a size that no product has', 58_000, 57],
])('the memory of %s, which reports %i MB, is %i GB', (_, reported, sold) => {
  expect(soldMemory(reported)).toBe(sold)
})

it('a size that is not known is 0', () => {
  expect([soldMemory(null), soldMemory(0)]).toEqual([0, 0])
  expect([cloudMemoryOf('A100 SXM4', null), cloudMemoryOf('H100 SXM', null)]).toEqual([0, 80])
})

it('every size of a GPU type is a size that is sold, and stays itself', () => {
  for (const size of new Set(gpuTypes.flatMap(({ memory }) => memory)))
    expect(soldMemory(1024 * size), `${size} GB`).toBe(size === 180 ? 192 : size)
  for (const size of soldSizes) expect(soldMemory(1024 * size)).toBe(size)
})

const machine = fc.record({
  verified: fc.boolean(),
  hosting_type: fc.constantFrom('community', 'secure_cloud'),
  num_gpus: fc.constantFrom(1, 8),
  gpu_memory: fc.constantFrom(0, 40, 64, 80),
})

it('machines of one product have one known size, and none is left out where there is one only', () => {
  fc.assert(
    fc.property(machine, fc.array(machine), (own, rows) => {
      const found = ofProduct(own, rows)
      const known = new Set([own, ...rows].map(({ gpu_memory }) => gpu_memory).filter((size) => size > 0))
      if (own.gpu_memory === 0 || known.size === 1) expect(found).toEqual(rows)
      else expect(found).toEqual(rows.filter(({ gpu_memory }) => gpu_memory === own.gpu_memory))
    }),
  )
})

it('machines of one class have one key, one size, and pass the filters of the class', () => {
  fc.assert(
    fc.property(machine, machine, (one, other) => {
      const isSame = [...widenedNames, 'gpu_memory' as const].every((name) => one[name] === other[name])
      expect(classKey(one) === classKey(other)).toBe(isSame)
      expect(passing(filtersOfClass(one))(one)).toBe(true)
      if (one.gpu_memory > 0) expect(passing(filtersOfClass(one))(other)).toBe(isSame)
    }),
  )
})

it('a comp set counts each host once, also where sizes are not known', () => {
  const sums = { gpu_name: 'A100 SXM4', machines: 1, all_gpus: 10, rented_gpus: 5, value: 2 }
  const of = { verified: true, hosting_type: 'community', num_gpus: 1 }
  const row = (host: number, gpu_memory: number) => ({ ...of, ...sums, host, gpu_memory })
  const rows = [row(1, 40), row(1, 0), row(2, 40), row(3, 0)]
  const doubled = { machines: 2, all_gpus: 20, rented_gpus: 10, value: 4 }
  const found = setOf(rows, { ...of, gpu_memory: 40 }, [3])
  expect(found.map(({ host, machines }) => [host, machines])).toEqual([
    [1, 2],
    [2, 1],
  ])
  expect(found[0]).toMatchObject(doubled)
  expect(setOf([...rows, row(4, 80)], { ...of, gpu_memory: 80 }, []).map(({ host }) => host)).toEqual([4])
})
