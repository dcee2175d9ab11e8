import './terms.css'
import type {
  IncomeByTermsAnswer,
  IncomeGroup,
  IncomeTerm,
  TermAdvice,
  TermIncomes,
} from '../../contract/income-by-terms.ts'
import { type Filters, machinesThat } from '../../contract/market-filter.ts'
import { useMarket } from '../api/queries.ts'
import { Icon } from '../components/icon.tsx'
import { outlines } from '../components/outlines.ts'
import { Status } from '../components/status.tsx'
import { FigureTable } from '../desk/figure-table.tsx'
import { csvRows, save } from '../files.ts'
import { capitalized, count, counted, nothing, price } from '../format.ts'
import { useTermAdvice } from './api.ts'
import { groupWords, moreWords, stepWords } from './words.ts'

interface IncomeByTermsProps {
  name: string
  filters: Filters
  /** The own machine that is priced; 0: none. */
  machine?: number
}

/** Incomes by rig size and terms of the listing, with the interval of each difference. */
export function IncomeByTerms({ name, filters, machine = 0 }: IncomeByTermsProps) {
  const query = useMarket<IncomeByTermsAnswer>('income-by-terms', { ...filters, gpu_name: name }, name !== '')
  const advice = useTermAdvice(machine > 0)
  const own = (advice.data?.advice ?? []).filter(({ machine_id }) => machine_id === machine)
  const terms = (query.data?.terms ?? []).filter(({ groups }) => groups.length > 1)
  return (
    <div class="income-terms">
      <Status of={[query]} hasData={query.data !== undefined} />
      {own.flatMap((one) => {
        const sentence = adviceSentence(one)
        return sentence ? [<p key={one.term}>{sentence}</p>] : []
      })}
      {query.data && terms.length === 0 && <p>{whyNothing(query.data)}</p>}
      {terms.map((of) => (
        <TermTable key={`${of.term} ${of.num_gpus} ${of.gpu_memory}`} name={name} of={of} />
      ))}
      {terms.length > 0 && (
        <>
          <button
            type="button"
            class="outline"
            onClick={() => save(`income by terms ${name}.csv`, csvOf(name, terms))}
          >
            <Icon outline={outlines.download} />
            CSV of incomes
          </button>
          <p class="note">
            Income per GPU and day of {machinesThat(filters)} with {name} in the last 30 published days, with
            95 % intervals. Differences are between machines of the same verification and hosting type, and
            need 10 machines of 5 hosts on both sides. Observed: machines may differ in more than their terms.
            Terms that all machines of a class share are not shown
            {terms.some(({ left_out }) => left_out) && ', nor groups of fewer than 5 machines or 3 hosts'}.
          </p>
        </>
      )}
    </div>
  )
}

const whyNothing = ({ reason, days }: IncomeByTermsAnswer): string => {
  if (reason === 'no_rentals_known') return 'The source does not say which GPUs are rented.'
  return reason === 'young_market'
    ? `Incomes by terms need seven whole days of snapshots. There are ${counted(days, 'day')}.`
    : 'Too few machines or hosts to compare incomes by terms.'
}

/** The advice to one own machine. */
function adviceSentence({ term, better, more_per_day }: TermAdvice): string | null {
  return better && more_per_day
    ? `${capitalized(stepWords(term, better))}: ${moreWords(more_per_day)}.`
    : null
}

const heads: Record<IncomeTerm, string> = {
  num_gpus: 'Rig size',
  min_gpus: 'Smallest rental',
  days_left: 'Listing ends in',
  min_bid: 'Minimum bid ÷ price',
}

/** The groups of a class beside the most common one. */
function TermTable({ name, of: { term, groups, num_gpus, gpu_memory } }: { name: string; of: TermIncomes }) {
  const usual = groups.toSorted((one, other) => other.machines - one.machines)[0]
  const rig = num_gpus === null ? name : `${num_gpus}× ${name}`
  const title = `${heads[term]}, ${rig}${gpu_memory === null ? '' : ` ${gpu_memory} GB`}`
  return (
    <FigureTable
      class="rates"
      caption={`Income by: ${title}`}
      head={title}
      columns={['Income per GPU and day', '95 % interval', 'Beside the most common', 'Machines']}
      rows={groups.map((group) => ({
        title: groupWords(term, group),
        cells: [
          price(group.income.value),
          `${price(group.income.low)} to ${price(group.income.high)}`,
          usual && group !== usual ? besideWords(usual, group) : nothing,
          count(group.machines),
        ],
      }))}
    />
  )
}

function besideWords(usual: IncomeGroup, { from }: IncomeGroup): string {
  const more = usual.others.find((other) => other.from === from)?.more
  if (!more) return 'too few to compare'
  const signed = (value: number | null) => `${(value ?? 0) < 0 ? '-' : '+'}${price(Math.abs(value ?? 0))}`
  return `${signed(more.value)} (${signed(more.low)} to ${signed(more.high)})`
}

const csvOf = (name: string, terms: readonly TermIncomes[]): Blob =>
  new Blob([
    csvRows([
      [
        'gpu_name',
        'gpu_memory',
        'num_gpus',
        'term',
        'from',
        'to',
        'machines',
        'hosts',
        'income',
        'income_low',
        'income_high',
        'other_from',
        'more',
        'more_low',
        'more_high',
      ],
      ...terms.flatMap(({ gpu_memory, num_gpus, term, groups }) =>
        groups.flatMap(({ from, to, machines, hosts, income, others }) => {
          const group = [name, gpu_memory, num_gpus, term, from, to, machines, hosts]
          const figures = [...group, income.value, income.low, income.high]
          return others.length === 0
            ? [[...figures, null, null, null, null]]
            : others.map(({ from: other, more }) => [...figures, other, more.value, more.low, more.high])
        }),
      ),
    ]),
  ])
