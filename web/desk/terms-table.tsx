import type { z } from 'zod'
import { termNames, terms } from '../../contract/listing-terms.ts'
import { type Filters, machinesThat } from '../../contract/market-filter.ts'
import type { ListingTerms, termsAnswer } from '../../contract/terms.ts'
import { useMarket } from '../api/queries.ts'
import { Fold } from '../components/fold.tsx'
import { count, duration, nothing, percent, price } from '../format.ts'
import { FigureTable } from './figure-table.tsx'

interface TermsTableProps {
  name: string
  /** The class that the terms are compared with. */
  filters: Filters
  /** The terms of the own machine that is priced; null: unknown. */
  own: ListingTerms | null | undefined
}

/** The terms of the own listing apart from the price, beside their distribution in its class. */
export function TermsTable({ name, filters, own }: TermsTableProps) {
  const { data } = useMarket<z.infer<typeof termsAnswer>>('terms', { ...filters }, name !== '')
  const spread = data?.gpus[name]
  const columns = [...(own === undefined ? [] : ['Yours']), 'Median', 'p10', 'p90', 'Machines']
  const rows = termNames.map((term) => {
    const { title, measure } = terms[term]
    const { median = null, p10 = null, p90 = null, machines = 0 } = spread?.[term] ?? {}
    const written = (value: number | null) =>
      value === null ? nothing : writers[measure](value, data?.slot ?? 0)
    const others = [written(median), written(p10), written(p90), spread ? count(machines) : nothing]
    return { title, cells: own === undefined ? others : [written(own?.[term] ?? null), ...others] }
  })
  return (
    <Fold title="Terms of similar machines" answer={spread && `${rows.length} terms`}>
      <FigureTable class="terms" caption="Terms of listings" head="Term" columns={columns} rows={rows} />
      <p class="note">
        Of {machinesThat(filters)} with {name} in the newest snapshot; each machine counts once. Figures need
        at least 5 machines and 3 hosts, and a source that reports them.
      </p>
    </Fold>
  )
}

type Write = (value: number, slot: number) => string

const writers: Record<'usd' | 'share' | 'time', Write> = {
  usd: price,
  share: percent,
  time: (end, slot) => duration(Math.max(0, end - slot)),
}
