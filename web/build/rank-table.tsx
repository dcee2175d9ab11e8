import type { ClassReturns } from '../../contract/returns.ts'
import { Change } from '../components/change.tsx'
import { Term } from '../components/term.tsx'
import { TypedNumber } from '../components/typed-number.tsx'
import { change as changeText, duration, nothing, oneDecimal, percent, price } from '../format.ts'
import type { View } from '../view.ts'
import { rigName } from './classes.ts'
import { pricesIn, withPrice } from './prices.ts'

interface RankTableProps {
  classes: readonly ClassReturns[]
  view: View
  change: (changes: Partial<View>, options?: { replace?: boolean }) => void
}

const heads = [
  ['Rig', ''],
  ['Price of a GPU', 'bought'],
  ['Net per GPU', ''],
  ['Usual range', 'wide'],
  ['Occupancy', 'need-2'],
  ['First rental', 'wide'],
  ['Supply, 30 days', 'need-3'],
  ['Price, 7 days', 'need-3'],
  ['Months', ''],
  ['Payback, 95 %', 'wide'],
] as const

/** The most months of the axis of payback. */
const axisMonths = 36

/** The classes in order, each with a field for its purchase price. */
export function RankTable({ classes, view, change }: RankTableProps) {
  const prices = pricesIn(view.buy)
  return (
    <div class="listing ranks">
      <table>
        <caption class="unseen">What to buy</caption>
        <thead>
          <tr>
            {heads.map(([title, look]) => (
              <th key={title} scope="col" class={look}>
                <Term name={title} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {classes.map((of, index) => {
            const earned = view.days === '90' ? of.days_90 : of.days_30
            return (
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
                <td class="lead">{price(of.net.value)}</td>
                <td class="wide quiet">
                  {price(earned.p25)} to {price(earned.p75)}
                </td>
                <td class="need-2">{percent(earned.occupancy)}</td>
                <td class="wide">
                  {of.first_rental_hours === null ? nothing : duration(of.first_rental_hours * 3600)}
                </td>
                <td class="need-3">{changeText(of.supply.growth)}</td>
                <td class="need-3">
                  <Change value={of.price_change.days_7} />
                </td>
                <td class="lead">
                  {of.payback.reason === 'never' ? 'never' : oneDecimal(of.payback.months)}
                </td>
                <td class="wide">
                  <Span of={of} />
                </td>
              </tr>
            )
          })}
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
