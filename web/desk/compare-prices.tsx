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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="compare" tabIndex={0} aria-label="Prices compared">
      <table>
        <thead>
          <tr>
            <th scope="col">Price</th>
            <th scope="col">USD per GPU-hour</th>
            <th scope="col">Occupancy</th>
            <th scope="col">Income a day</th>
            <th scope="col">95 % interval</th>
            <th scope="col">Time to rent</th>
            <th scope="col">Cheaper GPUs</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, outlook: { price: at, occupancy, income, hours, cheaper } }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <button type="button" class="plain" onClick={() => onChoose(at)}>
                  {price(at)}
                </button>
              </td>
              <td>{percent(occupancy?.value)}</td>
              <td>{earned(income && perDay(income).value)}</td>
              <td>{rangeADay(income) || nothing}</td>
              <td>{hours === null ? nothing : hoursWords(hours)}</td>
              <td>{count(cheaper)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
