import type { Book } from './books.ts'
import { bookDays } from './product.ts'

/** Moves before anything is seen: their standard deviation, as ln, and its weight in offers. */
const usual = { move: 0.035, offers: 200 }

/** No market is taken for one that moves faster. */
const fastest = 0.1

/**
 * The standard deviation of how far the prices of a product move against an own price in the next days, as ln. It is measured by the offers
 * that are in two books a day apart: books of the last days differ about as much from books of the next ones.
 */
export function moveAhead(products: Iterable<readonly Book[]>, days: number): number {
  let [squares, offers] = [usual.offers * usual.move ** 2, usual.offers]
  for (const books of products) {
    const aDay = Math.max(1, Math.round((books.length - 1) / Math.min(bookDays, days)))
    for (let index = aDay; index < books.length; index += aDay) {
      const moves = movesBetween(books[index - aDay], books[index])
      const all = moves.reduce((sum, move) => sum + move, 0)
      if (moves.length === 0) continue
      squares += all ** 2 / moves.length
      offers += moves.length
    }
  }
  return Math.min(fastest, Math.sqrt(squares / offers))
}

/** Moves of the offers that are in both books. */
function movesBetween(before: Book | undefined, after: Book | undefined): number[] {
  const prices = new Map(before?.machines.map((id, index) => [id, before.prices[index]]))
  return (after?.machines ?? []).flatMap((id, index) => {
    const [from, to] = [prices.get(id), after?.prices[index]]
    return from && to ? [Math.log(to / from)] : []
  })
}
