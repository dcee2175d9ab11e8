import { expect, it } from 'vitest'
import type { Book } from '../../estimates/pooled/books.ts'
import { moveAhead } from '../../estimates/pooled/repricing.ts'

/** Books of 7 days, four a day, of 50 machines whose prices all move by a factor from one day to the next. */
const movingBooks = (factor: number): Book[] =>
  Array.from({ length: 28 }, (_, index) => {
    const market = factor ** Math.floor(index / 4)
    return {
      prices: Array.from({ length: 50 }, (_, machine) => market * (1 + machine / 100)),
      gpus: Array.from({ length: 50 }, () => 1),
      machines: Array.from({ length: 50 }, (_, machine) => machine),
      block: Math.floor(index / 4),
      weight: 0.25,
    }
  })

it('the expected move of prices is the move of a day, once many offers were seen', () => {
  const products = Array.from({ length: 40 }, () => movingBooks(1.02))
  expect(moveAhead(products, 7)).toBeCloseTo(Math.log(1.02), 3)
  // Offers that come and go are no moves.
  const halves = movingBooks(1).map((book, index) => {
    const isSeen = (_: number, machine: number) => (machine + index) % 2 === 0
    const { prices, gpus, machines, ...of } = book
    return {
      ...of,
      prices: prices.filter(isSeen),
      gpus: gpus.filter(isSeen),
      machines: machines.filter(isSeen),
    }
  })
  expect(moveAhead([halves], 7)).toBeLessThan(moveAhead([], 7))
})

it('the expected move of prices is the usual one before a day was seen, and has a limit', () => {
  expect(moveAhead([movingBooks(2)], 0.04)).toBe(0.035)
  expect(moveAhead([movingBooks(2).slice(0, 1)], 7)).toBe(0.035)
  expect(moveAhead([movingBooks(2)], 7)).toBe(0.1)
})
