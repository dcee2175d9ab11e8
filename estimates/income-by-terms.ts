import { probit } from 'simple-statistics'
import type { WithInterval } from '../contract/returns.ts'
import { incomeOf, studentT } from './returns.ts'
import { contrastOf, fitRidge } from './ridge.ts'

/** Income of a machine on its days in one group. */
export interface TermDays {
  host: string
  /** Machines are compared with others of their stratum only. */
  stratum: string
  days: number
  /** GPU-time on the market, and what was paid for it, USD per GPU-hour × GPU-time. */
  gpus: number
  paid: number
}

/** The machines of a group of one class. */
export interface TermGroup {
  level: number
  rows: readonly TermDays[]
}

interface KnownInterval {
  value: number
  low: number
  high: number
}

export interface Difference {
  level: number
  more: KnownInterval
}

export interface ComparedGroup {
  level: number
  machines: number
  hosts: number
  income: WithInterval
  others: Difference[]
  better: Difference | null
  reason: 'one_group' | 'few_machines' | 'few_hosts' | 'none_better' | null
}

const [fewestMachines, fewestHosts] = [10, 5]
const fewestDays = 3

/** The groups of a class by one term: their incomes, and the group that earned most more than each. */
export function compareGroups(groups: readonly TermGroup[]): ComparedGroup[] {
  return groups.map((group) => {
    const compared = groups.filter((other) => other !== group).map((other) => pairOf(group, other))
    const pairs = compared.filter((pair) => typeof pair !== 'string')
    // All intervals of a group hold together (Bonferroni).
    const width = probit(1 - 0.025 / Math.max(1, pairs.length))
    const others = pairs.map(({ level, value, error, hosts }): Difference => {
      const half = studentT(hosts - 1, width) * error
      return { level, more: { value, low: value - half, high: value + half } }
    })
    const [better = null] = others
      .filter(({ more }) => more.low > 0)
      .toSorted((one, other) => other.more.value - one.more.value)
    const [obstacle = 'one_group'] = compared.filter((pair) => typeof pair === 'string')
    return {
      level: group.level,
      machines: group.rows.length,
      hosts: hostsOf(group.rows),
      income: incomeOf(sumsOf(group.rows)),
      others,
      better,
      reason: better ? null : others.length > 0 ? 'none_better' : obstacle,
    }
  })
}

const hostsOf = (rows: readonly TermDays[]): number => new Set(rows.map(({ host }) => host)).size

function sumsOf(rows: readonly TermDays[]) {
  const total = (value: (row: TermDays) => number) => rows.reduce((sum, row) => sum + value(row), 0)
  const gpus = total((row) => row.gpus)
  return {
    machines: rows.length,
    income: total(({ paid }) => paid) / gpus,
    squares: total(({ paid }) => paid ** 2) / gpus ** 2,
    products: total((row) => row.paid * row.gpus) / gpus ** 2,
    sizes: total((row) => row.gpus ** 2) / gpus ** 2,
  }
}

/** The difference of two groups within strata that have both, by regression with errors that are summed by host; or the reason why there is none. */
function pairOf(group: TermGroup, other: TermGroup) {
  const sides = [group, other].map(({ rows }) => rows.filter(({ days }) => days >= fewestDays))
  const strata = sides.map((rows) => new Set(rows.map(({ stratum }) => stratum)))
  const shared = sides.map((rows) => rows.filter(({ stratum }) => strata.every((of) => of.has(stratum))))
  const hosts = Math.min(...shared.map(hostsOf))
  if (shared.some((rows) => rows.length < fewestMachines)) return 'few_machines' as const
  if (hosts < fewestHosts) return 'few_hosts' as const
  const rows = shared.flat()
  const fit = fitRidge({
    columns: 1,
    rows: Float64Array.from(shared.flatMap((of, side) => of.map(() => side))),
    outcome: Float64Array.from(rows, ({ paid, gpus }) => (24 * paid) / gpus),
    groups: rows.map(({ stratum }) => stratum),
    clusters: rows.map(({ host }) => host),
  })
  return { level: other.level, hosts, ...contrastOf(fit, Float64Array.of(1)) }
}

/** Income of a machine in another group, less its present one, USD a day. Machines of a class share the error. */
export interface AdvisedMachine {
  class: string
  more: KnownInterval
}

/** The sum over machines. Errors within a class are added up, and the errors of classes are independent. */
export function sumOfAdvice(machines: readonly AdvisedMachine[]): KnownInterval {
  let value = 0
  const halves = new Map<string, number>()
  for (const { class: of, more } of machines) {
    value += more.value
    halves.set(of, (halves.get(of) ?? 0) + (more.high - more.low) / 2)
  }
  const half = Math.hypot(...halves.values())
  return { value, low: value - half, high: value + half }
}
