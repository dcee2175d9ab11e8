import { daysLeftFrom } from '../../../contract/fill-by-terms.ts'
import type { MarketFilter } from '../../../contract/filter-fields.ts'
import {
  bidSharesFrom,
  groupOf,
  type IncomeTerm,
  incomeTerms,
  type TermIncomes,
} from '../../../contract/income-by-terms.ts'
import { termNames } from '../../../contract/listing-terms.ts'
import { filterOf } from '../../../contract/market-filter.ts'
import { type ComparedGroup, compareGroups, type TermDays } from '../../../estimates/income-by-terms.ts'
import { groupBy } from '../../../platform/group-by.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { shownGroups } from '../market-query/few.ts'

/** A row of income-by-terms/machines. */
export interface TermRow extends TermDays {
  gpu_name: string
  memory: number
  rig: number
  machine_id: number
  term: IncomeTerm
  level: number
  last_day: number
}

/** The groups of a class by one term. */
export interface TermClass {
  gpu_name: string
  memory: number
  /** 0: all rig sizes, which are the groups then. */
  rig: number
  term: IncomeTerm
  isLeftOut: boolean
  groups: ComparedGroup[]
}

export const readTermRows = (
  clickhouse: ClickHouse,
  names: readonly string[],
  { to, ...filters }: MarketFilter & { to: number },
): Promise<TermRow[]> =>
  selectRows<TermRow>(clickhouse, 'income-by-terms/machines', {
    names: [...names],
    ...filterOf(filters),
    to,
    days: [...daysLeftFrom],
    shares: [...bidSharesFrom],
    end_place: termNames.indexOf('end_date') + 1,
    bid_place: termNames.indexOf('min_bid') + 1,
  })

/** The class of a row by its term. */
export const classKey = ({
  gpu_name,
  memory,
  rig,
  term,
}: Pick<TermRow, 'gpu_name' | 'memory' | 'rig' | 'term'>) =>
  `${term} ${term === 'num_gpus' ? 0 : rig} ${memory} ${gpu_name}`

/** Incomes by term of each class, without groups that could show single machines. */
export function termClasses(rows: readonly TermRow[]): Map<string, TermClass> {
  const classes = [...groupBy(rows, classKey)].map(([key, of]): [string, TermClass] => {
    const { gpu_name = '', memory = 0, rig = 0, term = 'num_gpus' } = of[0] ?? {}
    const all = [...groupBy(of, ({ level }) => level)].map(([level, own]) => ({
      level,
      rows: own,
      machines: own.map(({ machine_id }) => machine_id),
      hosts: own.map(({ host }) => host),
    }))
    const shown = shownGroups(all).toSorted((one, other) => one.level - other.level)
    return [
      key,
      {
        gpu_name,
        memory,
        rig: term === 'num_gpus' ? 0 : rig,
        term,
        isLeftOut: shown.length < all.length,
        groups: compareGroups(shown),
      },
    ]
  })
  return new Map(classes)
}

/** A class as the answer has it. */
export const termIncomesOf = ({ memory, rig, term, isLeftOut, groups }: TermClass): TermIncomes => ({
  gpu_memory: memory || null,
  num_gpus: rig || null,
  term,
  left_out: isLeftOut,
  groups: groups.map(({ level, others, better, ...rest }) => ({
    ...groupOf(term, level),
    ...rest,
    others: others.map(({ level: other, more }) => ({ ...groupOf(term, other), more })),
    better: better && { ...groupOf(term, better.level), more: better.more },
  })),
})

/** By size of memory and rig size, all rig sizes first. */
export const inOrder = (classes: Iterable<TermClass>): TermClass[] =>
  [...classes].toSorted(
    (one, other) =>
      one.memory - other.memory ||
      one.rig - other.rig ||
      incomeTerms.indexOf(one.term) - incomeTerms.indexOf(other.term),
  )
