import { type Books, drawWeights, openBook } from './books.ts'
import { drawCount, drawNormals, type Uniform } from './draws.ts'
import type { ProductDraws } from './incomes.ts'

/** Days of the books. */
export const bookDays = 7

/** Draws of a product. `move`: the standard deviation of its prices in the next days, half of which is of the whole market. */
export function drawProduct(
  { books, median }: Books,
  { move, moves, uniform }: { move: number; moves: Float64Array; uniform: Uniform },
): ProductDraws {
  const weights = drawWeights(books, { draws: drawCount, uniform })
  const own = drawNormals(uniform)
  return {
    books: books.map(openBook),
    median,
    share: 1,
    weights,
    moved: moves.map((shared, draw) => (move * (shared + (own[draw] ?? 0))) / Math.SQRT2),
  }
}
