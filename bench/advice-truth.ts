import { mean } from 'simple-statistics'
import { type Book, bookOfOthers, openBook } from '../estimates/pooled/books.ts'
import { demandAt, type Renters, type SimulatedMachine } from '../simulate/market.ts'
import { trueOccupancy } from './true-occupancy.ts'

const hour = 3600

/** The true income of a machine at some price, USD a day, in the books of a range. */
export function openTruth({ from, to, renters }: { from: number; to: number; renters: Renters }) {
  const demand = mean(
    Array.from({ length: Math.max(1, Math.round((to - from) / hour)) }, (_, index) =>
      demandAt(from + index * hour),
    ),
  )
  return (machine: SimulatedMachine, books: readonly Book[]) => {
    const views = books.map((book) => bookOfOthers(openBook(book), { id: machine.id, gpus: machine.numGpus }))
    return (price: number): number => {
      const rates = views.map(
        (view) => demand * renters.appealOf({ ...machine, price }, view.at(price).share),
      )
      return 24 * machine.numGpus * price * trueOccupancy(machine.numGpus, mean(rates))
    }
  }
}
