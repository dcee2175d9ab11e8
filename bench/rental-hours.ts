import { mean } from 'simple-statistics'
import { day, hour } from '../contract/durations.ts'
import { positionOf } from '../estimates/fill-rate.ts'
import { type CountedHour, firstMonday, isWeekend } from '../estimates/hour-model.ts'
import { priorEvents } from '../estimates/overdispersion.ts'
import { patternOf, type WeekPattern } from '../estimates/rental-hours.ts'
import { groupBy } from '../platform/group-by.ts'
import { positionsIn, type SimulatedMarket, step, usualRhythm } from '../simulate/market.ts'
import { drawMarket } from '../simulate/population.ts'
import { seededFor } from '../simulate/random.ts'

const days = 28
const settling = 5
const interval = 900

const rhythms: Record<string, (at: number) => number> = {
  'no pattern': () => 1,
  'the usual rhythm (0.75 to 1.25, less at weekends)': usualRhythm,
  'twice as often from 14 to 20 o’clock': (at) => (at % day >= 14 * hour && at % day < 20 * hour ? 2 : 1),
  'weekends at half the rate': (at) => (isWeekend(at) ? 0.5 : 1),
}

/** New rentals of some free GPUs of one GPU name, rig size and price decile in an hour. */
interface Cell {
  name: string
  start: number
  cell: string
  rig: number
  rented: number
  exposed: number
}

/** Counts a simulated market hour by hour, as fill/hours does from flows. */
function countHours(seed: number, size: number, rhythm: (at: number) => number): Cell[] {
  const market: SimulatedMarket = drawMarket({ seed, size, anchor: 0, past: 0, interval })
  market.rhythm = rhythm
  const begin = firstMonday + settling * day
  const cells = new Map<string, Cell>()
  for (let at = firstMonday; at < begin + days * day; at += interval) {
    const free = at < begin ? [] : freeMachines(market)
    step(market, seededFor(seed, at), interval, at)
    for (const { machine, gpus, position } of free) {
      const [name, start] = [machine.type.name, at - (at % hour)]
      const cell = `${position} ${machine.numGpus}`
      const key = `${name} ${start} ${cell}`
      const of = cells.get(key) ?? { name, start, cell, rig: machine.numGpus, rented: 0, exposed: 0 }
      cells.set(key, of)
      of.exposed += gpus * interval
      of.rented += Math.max(0, gpus - machine.free)
    }
  }
  return [...cells.values()]
}

function freeMachines(market: SimulatedMarket) {
  const positionIn = positionsIn(market)
  return market.machines
    .filter(({ online, free }) => online && free > 0)
    .map((machine) => ({ machine, gpus: machine.free, position: positionOf(positionIn(machine)) }))
}

const total = (cells: readonly Cell[], what: (cell: Cell) => number): number =>
  cells.reduce((sum, cell) => sum + what(cell), 0)

function patternIn(cells: readonly Cell[]) {
  const exposed = total(cells, (cell) => cell.exposed)
  const usual = total(cells, (cell) => cell.rented) / exposed
  const rates = new Map(
    [...groupBy(cells, ({ cell }) => cell)].map(([cell, of]) => [
      cell,
      (total(of, ({ rented }) => rented) + priorEvents) /
        (total(of, (one) => one.exposed) + priorEvents / usual),
    ]),
  )
  const hours = [...groupBy(cells, ({ start }) => start)].map(
    ([start, of]): CountedHour => ({
      start,
      rentals: total(of, ({ rented }) => rented),
      expected: total(of, (one) => one.exposed * (rates.get(one.cell) ?? 0)),
    }),
  )
  const meanRig = total(cells, (cell) => cell.exposed * cell.rig) / exposed
  return patternOf({ hours, exposure_gpu_hours: exposed / hour, meanRig, apart: 0 })
}

/** Shares of intervals that hold the planted ratios, and the claimed and the planted ratio of the busiest hours. */
function compare({ ratios, busiest, weekend }: WeekPattern, rhythm: (at: number) => number) {
  const planted = Array.from({ length: 168 }, (_, index) => rhythm(firstMonday + (index + 0.5) * hour))
  const usual = mean(planted)
  const holds = (value: number, { low, high }: { low: number; high: number }) =>
    Number(low <= value && value <= high)
  const window = planted.filter((_, index) => (index - busiest.from + 168) % 24 < 6)
  const truth = mean(window) / usual
  return {
    hours: mean(ratios.map((ratio, index) => holds((planted[index] ?? 0) / usual, ratio))),
    busiest: holds(truth, busiest),
    weekend: holds(mean(planted.slice(120)) / mean(planted.slice(0, 120)), weekend),
    claimed: busiest.value,
    planted: truth,
  }
}

/** Prints how often each planted rhythm is found, and how many intervals hold it. Each GPU name of a simulated market is a market. */
export function measureRentalHours(repeat: number, size: number): object {
  const results = Object.entries(rhythms).map(([name, rhythm]) => {
    const markets = Array.from({ length: repeat }, (_, index) => countHours(index + 1, size, rhythm)).flatMap(
      (cells) => [...groupBy(cells, (cell) => cell.name).values()],
    )
    const found = markets.map(patternIn)
    const shown = found.flatMap(({ pattern }) => pattern ?? [])
    const compared = shown.map((pattern) => compare(pattern, rhythm))
    const meanOf = (what: keyof ReturnType<typeof compare>) =>
      compared.length > 0 ? Number(mean(compared.map((one) => one[what])).toFixed(3)) : null
    return {
      rhythm: name,
      markets: markets.length,
      tested: found.filter(({ p_value }) => p_value !== null).length,
      shown: shown.length,
      hours_hold: meanOf('hours'),
      busiest_hold: meanOf('busiest'),
      weekend_hold: meanOf('weekend'),
      claimed: meanOf('claimed'),
      planted: meanOf('planted'),
    }
  })
  console.table(results)
  return { rental_hours: results }
}
