import { expect, it } from 'vitest'
import type { OfferedGpu } from '../../contract/offers.ts'
import { cheapestOf, typesFor } from '../../web/renter/cheapest.ts'

const gpu = (gpu_name: string, offers: OfferedGpu['offers']): OfferedGpu => ({
  gpu_name,
  free_gpus: 10,
  price_median: 1,
  price_thin: false,
  change_1d: null,
  change_7d: null,
  course: [],
  offers,
})
const gpus = [
  gpu('A', [
    { price: 1, gpus: 2 },
    { price: 2, gpus: 4 },
  ]),
  gpu('B', [{ price: 3, gpus: 1 }]),
]

it('the cheapest GPUs of own types are counted across instances of one type', () => {
  expect(cheapestOf([{ gpu_name: 'A', num_gpus: 1 }], gpus)).toBe(1)
  const rented = [
    { gpu_name: 'A', num_gpus: 1 },
    { gpu_name: 'A', num_gpus: 2 },
    { gpu_name: 'B', num_gpus: 1 },
  ]
  expect(cheapestOf(rented, gpus)).toBe(1 + 1 + 2 + 3)
})

it('too few free GPUs have no price', () => {
  expect(cheapestOf([{ gpu_name: 'B', num_gpus: 2 }], gpus)).toBe(null)
  expect(cheapestOf([{ gpu_name: 'C', num_gpus: 1 }], gpus)).toBe(null)
})

it('rented types come first', () => {
  expect(typesFor(gpus, []).map(({ gpu_name }) => gpu_name)).toEqual(['A', 'B'])
  expect(typesFor(gpus, [{ gpu_name: 'B', num_gpus: 1 }]).map(({ gpu_name }) => gpu_name)).toEqual(['B', 'A'])
})
