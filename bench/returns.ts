import { mean, sampleRankCorrelation } from 'simple-statistics'
import { day, hour } from '../contract/durations.ts'
import { assumedWatts } from '../estimates/board-power.ts'
import { netOf, powerOf } from '../estimates/returns.ts'
import { type ClassMonth, monthOf, movementOf, outlookOf } from '../estimates/returns-outlook.ts'
import { groupBy } from '../platform/group-by.ts'
import { openHistory } from '../simulate/history.ts'

/** The income of a machine in a month, its GPU-hours on the market, and how many of them were rented. */
interface Earned {
  name: string
  class: string
  paid: number
  gpus: number
  rented: number
}

const anchor = 1_795_046_400
const days = 30
/** Classes of the ranking: the largest. */
const ranked = 20
/** Costs of a usual host. */
const costs = { fee: 0.25, kwh_price: 0.2 }

/** Machines of four months of a simulated market. The last month is the one to foresee. */
async function simulateMonths(seed: number, size: number): Promise<Earned[][]> {
  const history = openHistory({ seed, size, anchor, past: 4 * days * day, interval: hour })
  let slot = anchor - 4 * days * day
  await history.leadTo(slot)
  const months: Earned[][] = []
  while (slot < anchor) {
    const earned = new Map<number, Earned>()
    const end = slot + days * day
    for (; slot < end; slot += hour) {
      history.next()
      // A look each three hours is enough for sums over a month.
      if (slot % (3 * hour) > 0) continue
      for (const { id, type, numGpus, online, free, rentals } of history.market.machines) {
        if (!online && rentals.length === 0) continue
        const of = earned.get(id) ?? {
          name: type.name,
          class: `${numGpus}× ${type.name}`,
          paid: 0,
          gpus: 0,
          rented: 0,
        }
        earned.set(id, of)
        of.gpus += online ? numGpus : numGpus - free
        of.rented += numGpus - free
        for (const { gpus, price } of rentals) of.paid += gpus.length * price
      }
    }
    months.push([...earned.values()])
  }
  return months
}

const classesOf = (machines: readonly Earned[]): Map<string, ClassMonth | null> =>
  new Map(
    [...groupBy(machines, (machine) => machine.class)].map(([name, of]) => {
      const sum = (value: (one: Earned) => number) => of.reduce((total, one) => total + value(one), 0)
      return [
        name,
        monthOf({
          machines: of.length,
          paid: sum(({ paid }) => paid),
          hours: sum(({ gpus }) => gpus),
          squares: sum(({ paid }) => paid ** 2),
          products: sum(({ paid, gpus }) => paid * gpus),
          sizes: sum(({ gpus }) => gpus ** 2),
        }),
      ]
    }),
  )

/** Net income per GPU and day of each class with known power. */
const netsOf = (machines: readonly Earned[]): Map<string, number | null> =>
  new Map(
    [...groupBy(machines, (machine) => machine.class)].map(([name, of]) => {
      const sum = (value: (one: Earned) => number) => of.reduce((total, one) => total + value(one), 0)
      const gpus = sum((one) => one.gpus)
      const watts = assumedWatts(of[0]?.name ?? '', 1)
      if (!watts) return [name, null]
      const income = (24 * sum(({ paid }) => paid)) / gpus
      const power = powerOf(watts, costs.kwh_price, sum(({ rented }) => rented) / gpus)
      return [name, netOf({ value: income, low: null, high: null }, costs, power).value]
    }),
  )

/** Compares the ranking of classes and the intervals of the next 30 days with what came. */
export async function measureReturns(seeds: readonly number[], size: number): Promise<void> {
  const rows = []
  for (const seed of seeds) {
    const simulated = await simulateMonths(seed, size)
    const months = simulated.map(classesOf)
    const [netThen, netNext] = simulated.slice(-2).map(netsOf)
    const [last, next] = months.slice(-2)
    const names = [...(last?.keys() ?? [])]
    const movement = movementOf(
      names.map((name) => months.slice(0, 3).map((month) => month.get(name) ?? null)),
    )
    if (!movement) continue
    const judged = names.flatMap((name) => {
      const [then, came] = [last?.get(name), next?.get(name)]
      if (!then || !came || then.machines < 5 || came.machines < 5) return []
      const { value, low, high } = outlookOf(then, movement)
      const income = 24 * came.income
      return [
        {
          machines: then.machines,
          net: [netThen?.get(name) ?? null, netNext?.get(name) ?? null] as const,
          value: value ?? 0,
          income,
          isHeld: income >= (low ?? 0) && income <= (high ?? 0),
        },
      ]
    })
    const largest = judged.toSorted((a, b) => b.machines - a.machines).slice(0, ranked)
    rows.push({
      seed,
      ...movement,
      classes: judged.length,
      'rank correlation': sampleRankCorrelation(
        largest.map(({ value }) => value),
        largest.map(({ income }) => income),
      ),
      'rank correlation of net': sampleRankCorrelation(
        largest.map(({ net: [then] }) => then ?? 0),
        largest.map(({ net: [, came] }) => came ?? 0),
      ),
      'net known': largest.filter(({ net }) => !net.includes(null)).length,
      held: mean(judged.map(({ isHeld }) => Number(isHeld))),
    })
  }
  console.table(rows)
  const classes = rows.reduce((sum, row) => sum + row.classes, 0)
  const held = rows.reduce((sum, row) => sum + row.held * row.classes, 0) / classes
  console.log(`${(100 * held).toFixed(1)} % of ${classes} intervals of the next 30 days hold`)
}
