import { type Books, drawWeights, openBook } from './books.ts'
import { drawCount, type Uniform } from './draws.ts'
import type { ProductDraws } from './incomes.ts'

/** Days of the books. */
export const bookDays = 7

/** A market younger than this has few books, so others are made from the fit. */
export const youngDays = 3

/** Standard deviation of the move of a market of few hours against an own price, as ln. */
const moveOfHours = 0.015

/** The draws of a product, of a market of some age. */
export function drawProduct(
  books: Books,
  { days, moves, uniform }: { days: number; moves: Float64Array; uniform: Uniform },
): ProductDraws {
  const deviation = days < 0.5 ? moveOfHours : 0
  const weights = drawWeights(books.books, { draws: drawCount, isYoung: days < youngDays, uniform })
  return {
    books: books.books.map(openBook),
    median: books.median,
    share: 1,
    weights,
    moved: moves.map((move) => deviation * move),
  }
}
