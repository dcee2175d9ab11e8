import { expect, it } from 'vitest'
import { pick, seeded } from '../../simulate/random.ts'
import { sumPositions } from '../../src/market/fill/sum-positions.ts'

const random = seeded(7)
const hours = 17
/** Rigs that are rented as a whole, and returned, once in 40 hours. */
const rate = 1 / 40

/** The flows of a GPU name with `rigs` available rigs of 1 to 8 GPUs, hour by hour. */
function countedOf(rigs: number) {
  const sizes = Array.from({ length: rigs }, () => pick(random, [1, 1, 1, 2, 4, 8]))
  const rows = sizes.flatMap((size) =>
    Array.from({ length: hours }, () => ({
      size,
      gpus: random() < rate ? size : 0,
      seconds: 3600 * size,
    })),
  )
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0)
  const [gpus, seconds] = [sum((row) => row.gpus), sum((row) => row.seconds)]
  const perSecond = gpus / seconds
  const variance = sum((row) => (row.gpus - perSecond * row.seconds) ** 2)
  const size = sum((row) => row.size * row.seconds)
  const gaps = { exposed_gap: 0, kept_gap: 0, both_gap: 0, both_rented: 0, both_returned: 0 }
  return sumPositions([
    {
      position: 0,
      exposed_seconds: seconds,
      rented_gpus: gpus,
      rented_variance: variance,
      exposed_rigs: size,
      held_seconds: seconds,
      returned_gpus: gpus,
      returned_variance: variance,
      held_rigs: size,
      withdrawn_gpus: 0,
      lowest: 1,
      highest: 1,
      ...gaps,
    },
  ])
}

it('holds the true rate in 93 to 97 % of the intervals where few whole rigs are rented', () => {
  const found = Array.from({ length: 2000 }, () => countedOf(20).all.fill_rate)
  const known = found.flatMap(({ low, high }) => (low === null || high === null ? [] : [{ low, high }]))
  expect(known.length).toBeGreaterThan(1500)
  const share = known.filter(({ low, high }) => low <= rate && rate <= high).length / known.length
  expect(share).toBeGreaterThan(0.94)
  expect(share).toBeLessThan(0.975)
})
