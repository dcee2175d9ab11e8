import { count, earned, nothing, percent, price } from '../format.ts'
import { FigureTable } from './figure-table.tsx'
import { type Outlook, perDay } from './outlook.ts'
import { hoursWords, rangeADay } from './words.ts'

interface ComparePricesProps {
  rows: readonly { name: string; outlook: Outlook }[]
  onChoose: (price: number) => void
}

/** A comparison of some prices, cheapest first: a higher price or a higher occupancy. */
export function ComparePrices({ rows, onChoose }: ComparePricesProps) {
  return (
    <FigureTable
      class="compare"
      caption="Prices compared"
      head="Price"
      columns={columns}
      rows={rows.map(({ name, outlook }) => {
        const [at, ...others] = cellsOf(outlook)
        const choose = (
          <button type="button" class="plain" onClick={() => onChoose(outlook.price)}>
            {at}
          </button>
        )
        return { title: name, cells: [choose, ...others] }
      })}
    />
  )
}

const columns = [
  'USD per GPU-hour',
  'Occupancy',
  'Income a day',
  '95 % interval',
  'Net a day',
  'Time to rent',
  'Cheaper GPUs',
]

const cellsOf = ({ price: at, occupancy, income, net, hours, cheaper }: Outlook): string[] => [
  price(at),
  percent(occupancy?.value),
  earned(income && perDay(income).value),
  rangeADay(income) || nothing,
  earned(net?.value),
  hours === null ? nothing : hoursWords(hours),
  count(cheaper),
]
