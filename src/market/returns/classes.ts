import type { ClassReturns, Earned, ReturnsOrder, ReturnsQuery } from '../../../contract/returns.ts'
import { assumedWatts } from '../../../estimates/board-power.ts'
import { incomeOf, netOf, paybackOf, powerOf } from '../../../estimates/returns.ts'
import {
  type ClassMonth,
  type Movement,
  monthOf,
  movementOf,
  outlookOf,
} from '../../../estimates/returns-outlook.ts'
import { groupBy } from '../../../platform/group-by.ts'
import { fewReason } from '../market-query/few.ts'
import { whyNoIncomes } from '../market-query/published.ts'
import { survivalOf } from '../survival.ts'

/** A class of machines in the last 30 or 90 days. */
export interface ClassRow {
  gpu_name: string
  memory: number
  rig: number
  days: 30 | 90
  machines: number
  hosts: number
  income: number
  occupancy: number
  squares: number
  products: number
  sizes: number
  spread: [number, number, number]
  gpus_before: number
  gpus_now: number
  arrived: number
  left: number
  /** Sums over machines of three months of 30 days, oldest first. */
  month_paid: number[]
  month_hours: number[]
  month_squares: number[]
  month_products: number[]
  month_sizes: number[]
  month_machines: number[]
  /** Machines that were new, and the hours until the first rental of half of them; null: too few, or of the last 30 days. */
  new_machines: number
  first_rental_hours: number | null
}

type Waits = [hours: number, isRented: boolean, host: unknown][]
export type FoundRow = Omit<ClassRow, 'new_machines' | 'first_rental_hours'> & { waits: Waits }

/** A row with what does not depend on the costs of a question. */
export function classRow({ waits, ...row }: FoundRow): ClassRow {
  const hosts = new Set(waits.map(([, , host]) => JSON.stringify(host)))
  const isThin = row.days === 30 || fewReason(waits.length, hosts.size) !== null
  return { ...row, new_machines: waits.length, first_rental_hours: isThin ? null : medianWait(waits) }
}

/** The months of a class, oldest first. */
export const monthsInRow = (row: ClassRow): (ClassMonth | null)[] =>
  row.month_paid.map((paid, month) =>
    monthOf({
      machines: row.month_machines[month] ?? 0,
      paid,
      hours: row.month_hours[month] ?? 0,
      squares: row.month_squares[month] ?? 0,
      products: row.month_products[month] ?? 0,
      sizes: row.month_sizes[month] ?? 0,
    }),
  )

/** The movement of incomes from month to month in the market of the filters; null: there are too few whole months or classes. */
export function movementIn(rows: readonly ClassRow[], days: number): Movement | null {
  const whole = Math.floor(days / 30)
  if (whole < 2) return null
  return movementOf(rows.filter((row) => row.days === 90).map((row) => monthsInRow(row).slice(-whole)))
}

interface Context {
  question: ReturnsQuery
  /** The days that net and payback are computed from. */
  window: number
  /** Published days of the last 90. */
  days: number
  changes: ReadonlyMap<string, readonly (number | null)[]>
  hasRentals: boolean
  movement: Movement | null
}

export const classesOf = (rows: readonly ClassRow[], context: Context): ClassReturns[] =>
  [...groupBy(rows, ({ gpu_name, memory, rig }) => `${gpu_name} ${memory} ${rig}`).values()].flatMap((of) => {
    const long = of.find(({ days }) => days === 90)
    return long
      ? [
          classOf(
            long,
            of.find(({ days }) => days === 30),
            context,
          ),
        ]
      : []
  })

function classOf(long: ClassRow, short: ClassRow | undefined, context: Context): ClassReturns {
  const { question, window, days, hasRentals, changes, movement } = context
  const { gpu_name, memory, rig } = long
  const earned = { 30: earnedOf(short, days, hasRentals), 90: earnedOf(long, days, hasRentals) }
  const chosen = window === 90 ? earned[90] : earned[30]
  const watts = assumedWatts(gpu_name, 1)
  const isPowerKnown = question.kwh_price === undefined || watts !== null
  const power =
    watts && chosen.occupancy !== null ? powerOf(watts, question.kwh_price ?? 0, chosen.occupancy) : 0
  const net = isPowerKnown ? netOf(chosen.income, question, power) : nothing
  const month = monthsInRow(long).at(-1) ?? null
  const isForeseen = movement !== null && month !== null && earned[30].reason === null
  const outlook = isForeseen ? outlookOf(month, movement) : nothing
  const price = question.purchase_price?.[gpu_name.toLowerCase()]
  const [days_7 = null, days_30 = null, days_90 = null] = changes.get(gpu_name) ?? []
  const isOld = days >= 38
  const growth = isOld && long.gpus_before > 0 ? long.gpus_now / long.gpus_before - 1 : null
  return {
    gpu_name,
    gpu_memory: memory || null,
    num_gpus: rig,
    days_30: earned[30],
    days_90: earned[90],
    net,
    net_reason: chosen.reason ?? (isPowerKnown ? null : 'watts_not_known'),
    next_30: isPowerKnown ? netOf(outlook, question, power) : nothing,
    next_30_reason:
      earned[30].reason ?? (isForeseen ? (isPowerKnown ? null : 'watts_not_known') : 'young_market'),
    watts: watts?.watts_load ?? null,
    net_per_dollar: net.value !== null && price !== undefined ? net.value / price : null,
    net_per_watt: net.value !== null && watts ? net.value / watts.watts_load : null,
    payback: paybackOf({ price, net, power, change: days_90 }),
    first_rental_hours: hasRentals ? long.first_rental_hours : null,
    new_machines: long.new_machines,
    supply: {
      gpus: long.gpus_now,
      growth,
      arrived: isOld ? long.arrived : null,
      left: isOld ? long.left : null,
    },
    price_change: { days_7: shareOf(days_7), days_30: shareOf(days_30), days_90: shareOf(days_90) },
  }
}

const shareOf = (change: number | null): number | null => (change === null ? null : Math.expm1(change))

const nothing = { value: null, low: null, high: null }

function earnedOf(row: ClassRow | undefined, days: number, hasRentals: boolean): Earned {
  const machines = row?.machines ?? 0
  const reason = whyNoIncomes(days, hasRentals) ?? fewReason(machines, row?.hosts ?? 0)
  if (!row || reason)
    return {
      machines,
      income: nothing,
      p25: null,
      median: null,
      p75: null,
      occupancy: null,
      reason: reason ?? 'few_machines',
    }
  const [p25, median, p75] = row.spread
  return {
    machines,
    income: incomeOf(row),
    p25: 24 * p25,
    median: 24 * median,
    p75: 24 * p75,
    occupancy: row.occupancy,
    reason: null,
  }
}

const medianWait = (waits: Waits): number | null =>
  survivalOf(waits.map(([hours, happened]) => ({ from: -1, to: hours, happened, subjects: 1 }))).median

const measures: Record<ReturnsOrder, (of: ClassReturns) => number | null> = {
  net: ({ net }) => net.value,
  dollar: ({ net_per_dollar }) => net_per_dollar,
  watt: ({ net_per_watt }) => net_per_watt,
  payback: ({ payback }) => (payback.months === null ? null : -payback.months),
}

/** The best first. Classes without the figure come last, by name. */
export function inOrder(classes: readonly ClassReturns[], order: ReturnsOrder): ClassReturns[] {
  const measure = measures[order]
  return classes.toSorted((a, b) => {
    const [one, other] = [measure(a), measure(b)]
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    return other - one
  })
}
