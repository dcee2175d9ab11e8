import { useSignal } from '@preact/signals'
import type { z } from 'zod'
import { hour } from '../../contract/durations.ts'
import type { fillByTermsAnswer, GpuFillByTerms } from '../../contract/fill-by-terms.ts'
import { type Filters, machinesThat } from '../../contract/market-filter.ts'
import { useMarket } from '../api/queries.ts'
import { Fold } from '../components/fold.tsx'
import { onDemand } from '../components/on-demand.tsx'
import { Status } from '../components/status.tsx'
import { count, counted, duration, nothing } from '../format.ts'
import { FigureTable } from './figure-table.tsx'
import { questionsOf } from './questions.ts'

const IncomeByTerms = onDemand(async () => (await import('../terms/income-by-terms.tsx')).IncomeByTerms)

interface RatesByTermsProps {
  name: string
  /** The class whose rentals are counted. */
  filters: Filters
  /** The own machine that is priced; 0: none. */
  machine: number
}

/** The waiting time for a rental, by terms that a host can change. Read when the section is opened. */
export function RatesByTerms({ name, filters, machine }: RatesByTermsProps) {
  const wanted = useSignal(false)
  const { rates } = questionsOf({ name, filters, shown: filters })
  const query = useMarket<z.infer<typeof fillByTermsAnswer>>(
    'fill-by-terms',
    rates,
    wanted.value && name !== '',
  )
  const fill = query.data?.gpus[name]
  return (
    <Fold
      title="Do other terms rent faster, or earn more?"
      answer="by smallest rental and end of the listing"
      onOpen={() => {
        wanted.value = true
      }}
    >
      {wanted.value && <Status of={[query]} hasData={fill !== undefined} />}
      {fill && (
        <>
          <Groups title="Smallest rental" rows={fill.min_gpus.map((row) => [partOf(row), row] as const)} />
          <Groups title="Listing ends in" rows={fill.days_left.map((row) => [endOf(row), row] as const)} />
          <p class="note">
            Of {machinesThat(filters)} with {name}, last 7 days. The smallest rental is the fewest GPUs that
            can be rented at once. A time needs at least 5 rentals and 24 GPU-hours on offer. These are
            observations: the machines may differ in more than their terms.
            {(fill.left_out.min_gpus || fill.left_out.days_left) &&
              ' Groups of fewer than 5 machines or 3 hosts are not shown.'}
          </p>
        </>
      )}
      {wanted.value && <IncomeByTerms name={name} filters={filters} machine={machine} />}
    </Fold>
  )
}

type Part = GpuFillByTerms['min_gpus'][number]
type End = GpuFillByTerms['days_left'][number]

const partOf = ({ min_gpus }: Part) => (min_gpus === null ? 'Unknown' : counted(min_gpus, 'GPU'))

function endOf({ from_days, to_days }: End): string {
  if (from_days === null) return 'Unknown'
  if (to_days === null) return `${from_days} days or more`
  return from_days === 0 ? `Less than ${to_days} days` : `${from_days} to ${to_days} days`
}

const columns = ['Time to rent', '95 % interval', 'Rentals', 'GPU-hours on offer']

const Groups = ({ title, rows }: { title: string; rows: (readonly [string, Part | End])[] }) => (
  <FigureTable
    class="rates"
    caption={`Time to rent by: ${title}`}
    head={title}
    columns={columns}
    rows={rows.map(([group, row]) => ({ title: group, cells: cellsOf(row) }))}
  />
)

function cellsOf({ hours_to_rent, fill_rate: { low, high }, rentals, exposure_gpu_hours }: Part | End) {
  const hours = (value: number) => duration(hour * value)
  return [
    hours_to_rent === null ? nothing : hours(hours_to_rent),
    low && high ? `${hours(1 / high)} to ${hours(1 / low)}` : nothing,
    count(rentals),
    count(Math.round(exposure_gpu_hours)),
  ]
}
