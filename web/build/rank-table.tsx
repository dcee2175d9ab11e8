import type { ComponentChildren } from 'preact'
import { hour } from '../../contract/durations.ts'
import type { ClassReturns, Earned } from '../../contract/returns.ts'
import { Change } from '../components/change.tsx'
import { Term } from '../components/term.tsx'
import { TypedNumber } from '../components/typed-number.tsx'
import { change as changeText, duration, nothing, oneDecimal, percent, price } from '../format.ts'
import type { View } from '../view.ts'
import { earnedIn, rigName } from './classes.ts'
import { pricesIn, withPrice } from './prices.ts'

interface RankTableProps {
  classes: readonly ClassReturns[]
  view: View
  change: (changes: Partial<View>, options?: { replace?: boolean }) => void
}

/** The most months of the axis of payback. */
const axisMonths = 36

interface Column {
  title: string
  /** The class of its head and its cells: the width from which the column is shown. */
  look: string
  /** The class of its cells alone. */
  weight?: 'lead' | 'quiet'
  /** False if the class has no such figure. A column without any figure is left out. */
  isKnown?: (of: ClassReturns) => boolean
  /** The share of classes with a figure that the column needs. */
  least?: number
  cell: (of: ClassReturns, earned: Earned) => ComponentChildren
}

const figures: readonly Column[] = [
  { title: 'Net per GPU', look: '', weight: 'lead', cell: ({ net }) => price(net.value) },
  {
    title: 'Usual range',
    look: 'wide',
    weight: 'quiet',
    cell: (_, { p25, p75 }) => `${price(p25)} to ${price(p75)}`,
  },
  { title: 'Occupancy', look: 'need-2', cell: (_, { occupancy }) => percent(occupancy) },
  {
    title: 'First rental',
    look: 'wide',
    isKnown: ({ first_rental_hours }) => first_rental_hours !== null,
    least: 0.25,
    cell: ({ first_rental_hours: hours }) => hours !== null && duration(hours * hour),
  },
  {
    title: 'Supply, 30 days',
    look: 'need-3',
    isKnown: ({ supply }) => supply.growth !== null,
    cell: ({ supply }) => changeText(supply.growth),
  },
  {
    title: 'Price, 7 days',
    look: 'need-3',
    isKnown: ({ price_change }) => price_change.days_7 !== null,
    cell: ({ price_change }) => <Change value={price_change.days_7} />,
  },
  {
    title: 'Months',
    look: '',
    weight: 'lead',
    isKnown: ({ payback }) => payback.purchase_price !== null,
    cell: ({ payback }) => (payback.reason === 'never' ? 'never' : oneDecimal(payback.months)),
  },
  {
    title: 'Payback, 95 %',
    look: 'wide',
    isKnown: ({ payback }) => payback.months !== null,
    cell: (of) => <Span of={of} />,
  },
]

/** The classes in order, each with a field for its purchase price. Figures that no class has yet, or too few, are left out. */
export function RankTable({ classes, view, change }: RankTableProps) {
  const prices = pricesIn(view.buy)
  const columns = figures.filter(
    ({ isKnown, least = 0 }) => !isKnown || classes.filter(isKnown).length > least * classes.length,
  )
  return (
    <div class="listing ranks">
      <table>
        <caption class="unseen">What to buy</caption>
        <thead>
          <tr>
            <th scope="col">Rig</th>
            <th scope="col" class="bought">
              Price of a GPU
            </th>
            {columns.map(({ title, look }) => (
              <th key={title} scope="col" class={look}>
                <Term name={title} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {classes.map((of, index) => (
            <tr key={rigName(of)}>
              <th scope="row">
                <span class="place">{index + 1}</span> {rigName(of)}
              </th>
              <td class="bought">
                <TypedNumber
                  label={`Price of a ${of.gpu_name}`}
                  value={prices.get(of.gpu_name.toLowerCase()) ?? ''}
                  min={1}
                  max={1_000_000}
                  step="any"
                  placeholder="USD"
                  onChange={(text) =>
                    change({ buy: withPrice(view.buy, of.gpu_name, text) }, { replace: true })
                  }
                />
              </td>
              {columns.map(({ title, look, weight = '', cell }) => (
                <td key={title} class={`${look} ${weight}`}>
                  {cell(of, earnedIn(of, view))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The months of payback as a point with its interval. */
function Span({ of: { payback } }: { of: ClassReturns }) {
  const { months, low, high } = payback
  if (months === null || low === null) return <>{nothing}</>
  const at = (value: number) => (100 * Math.min(axisMonths, value)) / axisMonths
  return (
    <svg class="span" viewBox="0 0 100 14" width={90} height={14} aria-hidden="true">
      <line x1={0} x2={100} y1={7} y2={7} />
      <rect x={at(low)} y={4.5} width={at(high ?? axisMonths) - at(low)} height={5} rx={2.5} />
      <circle cx={at(months)} cy={7} r={4} />
    </svg>
  )
}
