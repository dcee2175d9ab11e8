import { mean, median, probit } from 'simple-statistics'
import type { WithInterval } from '../contract/returns.ts'
import type { WorthAnswer, WorthFactor } from '../contract/worth.ts'
import { studentT } from './returns.ts'
import { contrastOf, fitRidge, rowsOf } from './ridge.ts'
import { type Factor, factorsOf, type WorthMachine } from './worth-factors.ts'

const [fewestMachines, fewestHosts] = [50, 10]
const [fewestWith, fewestHostsWith] = [20, 10]
const fewestDays = 3
/** The least standard deviation of a figure within groups by which machines differ. */
const leastSpread = 0.1

type Worth = Pick<WorthAnswer, 'machines' | 'hosts' | 'factors'> & {
  reason: 'few_machines' | 'few_hosts' | null
}

/** Worth of specs, places and tiers. */
export function worthOf(machines: readonly WorthMachine[]): Worth {
  const seen = machines.filter(({ days, rented, avail }) => days >= fewestDays && rented + avail > 0)
  const hosts = hostsOf(seen)
  const counts = { machines: seen.length, hosts }
  if (seen.length < fewestMachines) return { ...counts, reason: 'few_machines', factors: [] }
  if (hosts < fewestHosts) return { ...counts, reason: 'few_hosts', factors: [] }
  const factors = factorsOf(seen)
  const outcomes = {
    price: regressionOf(
      seen.filter(({ rented }) => rented > 0),
      factors,
      priceOf,
    ),
    fill: regressionOf(seen, [...factors, ownPrice], oddsOf),
  }
  const tested = outcomes.price.tested + outcomes.fill.tested - 1
  const price = outcomes.price.effects(tested)
  const fill = outcomes.fill.effects(tested)
  return {
    ...counts,
    reason: null,
    factors: factors.map((factor): WorthFactor => {
      const { kind, name, unit } = factor
      const [having] = sidesOf(seen, factor)
      const [ofPrice, ofFill] = [price(factor), fill(factor)]
      return {
        kind,
        name,
        unit,
        machines: having.length,
        hosts: hostsOf(having),
        price: ofPrice.worth,
        price_reason: ofPrice.reason,
        fill: ofFill.worth,
        fill_reason: ofFill.reason,
      }
    }),
  }
}

const hostsOf = (machines: readonly WorthMachine[]): number => new Set(machines.map(({ host }) => host)).size

/** ln of the mean price of what is rented. */
const priceOf = ({ paid, rented }: WorthMachine): number => Math.log(paid / rented)

/** ln of rented ÷ available time, which is the rate of rentals ÷ the rate of returns. Half a day is added to both. */
function oddsOf({ rented, avail, days }: WorthMachine): number {
  const half = (rented + avail) / days / 2
  return Math.log((rented + half) / (avail + half))
}

/** The price of a machine, so that rates are compared at the same price. It is no factor of the answer. */
const ownPrice: Factor = {
  kind: 'rig',
  name: 'price',
  unit: 'doubling',
  value: ({ paid, asked, rented, avail }) => Math.log2((paid + asked) / (rented + avail)),
}

interface Effect {
  worth: WithInterval
  reason: WorthFactor['price_reason']
}

interface Regression {
  tested: number
  /** Effects with intervals that hold together for a number of tested factors. */
  effects(tested: number): (factor: Factor) => Effect
}

/** Regression of an outcome on the factors that machines differ in. */
function regressionOf(
  machines: readonly WorthMachine[],
  factors: readonly Factor[],
  outcome: (machine: WorthMachine) => number,
): Regression {
  const reasons = new Map(factors.map((factor) => [factor, obstacleOf(machines, factor)]))
  const used = factors.filter((factor) => reasons.get(factor) === null)
  const groups = machines.map(({ group }) => group)
  const columns = used.map((factor) => filled(machines.map(factor.value), groups))
  const rows = new Float64Array(machines.length * used.length)
  columns.forEach((column, index) => {
    column.forEach((value, row) => {
      rows[row * used.length + index] = value
    })
  })
  const fit = fitRidge({
    columns: used.length,
    rows,
    outcome: withoutExtremes(machines.map(outcome), groups),
    groups,
    clusters: machines.map(({ host }) => host),
  })
  const places = used.map(({ unit }, index) =>
    unit === 'all_places'
      ? (columns[index] ?? []).reduce((sum, value) => sum + value, 0) / machines.length
      : 0,
  )
  return {
    tested: used.length,
    effects: (tested) => {
      const normalWidth = probit(1 - 0.025 / Math.max(1, tested))
      return (factor) => {
        const reason = reasons.get(factor) ?? null
        if (reason) return { worth: { value: null, low: null, high: null }, reason }
        const weights = Float64Array.from(
          used,
          (other, index) =>
            Number(other === factor) - (factor.unit === 'all_places' ? (places[index] ?? 0) : 0),
        )
        const { value, error } = contrastOf(fit, weights)
        const width = studentT(hostsBehind(machines, factor) - 1, normalWidth)
        const isDistinct = Math.abs(value) > width * error
        return {
          worth: {
            value: isDistinct ? Math.expm1(value) : null,
            low: Math.expm1(value - width * error),
            high: Math.expm1(value + width * error),
          },
          reason: isDistinct ? null : 'not_distinct',
        }
      }
    },
  }
}

const isFigure = ({ unit }: Factor): boolean => unit === 'doubling' || unit === 'version'

/** The machines with a factor and the others that they are compared with: of a figure, all whose figure is known. */
function sidesOf(machines: readonly WorthMachine[], factor: Factor): [WorthMachine[], WorthMachine[]] {
  const { value, isCompared = () => true } = factor
  const known = machines.filter((machine) => value(machine) !== null)
  if (isFigure(factor)) return [known, known]
  return [
    known.filter((machine) => value(machine) === 1),
    known.filter((machine) => value(machine) === 0 && isCompared(machine)),
  ]
}

/** The hosts that an effect comes from: of the machines with a factor or of the others, whichever are fewer. */
const hostsBehind = (machines: readonly WorthMachine[], factor: Factor): number =>
  Math.min(...sidesOf(machines, factor).map(hostsOf))

/** The reason for the lack of an effect. */
function obstacleOf(machines: readonly WorthMachine[], factor: Factor): Effect['reason'] {
  const [having, others] = sidesOf(machines, factor)
  if (isFigure(factor))
    return fewOf(having) ?? (spreadOf(having, factor.value) < leastSpread ? 'alike' : null)
  if (having.length === 0 || others.length === 0) return 'alike'
  return fewOf(having) ?? fewOf(others)
}

function fewOf(machines: readonly WorthMachine[]): 'few_machines' | 'few_hosts' | null {
  if (machines.length < fewestWith) return 'few_machines'
  return hostsOf(machines) < fewestHostsWith ? 'few_hosts' : null
}

/** Standard deviation within groups. */
function spreadOf(machines: readonly WorthMachine[], value: Factor['value']): number {
  const values = machines.map((machine) => value(machine) ?? 0)
  let squares = 0
  for (const rows of rowsOf(machines.map(({ group }) => group)).values()) {
    const own = valuesAt(values, rows)
    const middle = mean(own)
    for (const one of own) squares += (one - middle) ** 2
  }
  return Math.sqrt(squares / machines.length)
}

const valuesAt = (values: readonly number[], rows: readonly number[]): number[] =>
  rows.map((row) => values[row] ?? 0)

/**
 * Outcomes without extremes: a distance from the median of the group ends at three standard deviations, which follow from the median distance. A host who
 * asks far too much would decide the worth of a small place.
 */
function withoutExtremes(values: readonly number[], groups: readonly string[]): Float64Array {
  const middles = values.map(() => 0)
  for (const rows of rowsOf(groups).values()) {
    const middle = median(valuesAt(values, rows))
    for (const row of rows) middles[row] = middle
  }
  const most = 3 * 1.4826 * median(values.map((value, row) => Math.abs(value - (middles[row] ?? 0))))
  return Float64Array.from(values, (value, row) => {
    const middle = middles[row] ?? 0
    return Math.min(middle + most, Math.max(middle - most, value))
  })
}

/** Unknown values are replaced by the mean of their group. */
function filled(values: readonly (number | null)[], groups: readonly string[]): number[] {
  const found = values.map((value) => value ?? 0)
  if (!values.includes(null)) return found
  for (const rows of rowsOf(groups).values()) {
    const known = rows.filter((row) => values[row] !== null)
    const middle = known.length > 0 ? mean(valuesAt(found, known)) : 0
    for (const row of rows) found[row] = values[row] ?? middle
  }
  return found
}
