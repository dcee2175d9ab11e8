import { expect, it } from 'vitest'
import { placesOf } from '../../ingest/place-names.ts'

it('the name with the most rows comes first, and each one goes to the shard with the fewest', () => {
  expect(placesOf([40, 30, 20, 10], 2)).toEqual([0, 1, 1, 0])
  expect(placesOf([5, 5, 5], 1)).toEqual([0, 0, 0])
  expect(placesOf([9], 3)).toEqual([0])
  expect(placesOf([], 3)).toEqual([])
})
