import { count, earned, nothing, percent, price } from '../format.ts'
import { type Outlook, perDay } from './outlook.ts'
import { hoursWords, rangeADay } from './words.ts'

interface ComparePricesProps {
  rows: readonly { name: string; outlook: Outlook }[]
  onChoose: (price: number) => void
}

/** Dearer but idle, or cheaper but full: some prices beside each other, cheapest first. */
export function ComparePrices({ rows, onChoose }: ComparePricesProps) {
  return (
    <div class="listing compare">
      <table>
        <caption class="unseen">Prices compared</caption>
        <thead>
          <tr>
            <th scope="col">Price</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, outlook }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cellsOf(outlook).map((text, index) => (
                <td key={columns[index]} data-title={columns[index]}>
                  {index > 0 ? (
                    text
                  ) : (
                    <button type="button" class="plain" onClick={() => onChoose(outlook.price)}>
                      {text}
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
