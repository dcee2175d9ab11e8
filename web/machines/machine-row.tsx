import { Link } from 'wouter-preact'
import type { OwnMachine } from '../api/queries.ts'
import { change, dollars, percent, price } from '../format.ts'
import { PriceScale } from './price-scale.tsx'
import type { Standing } from './standing.ts'

interface MachineRowProps {
  machine: OwnMachine
  /** undefined: the market has not been read yet. */
  standing: Standing | undefined
  /** Where the charts of its GPU are. */
  market: string
}

/** A machine, and where it stands in the market. */
export function MachineRow({ machine, standing, market }: MachineRowProps) {
  return (
    <tr>
      <th scope="row">
        {machine.id}
        <br />
        <span class="quiet">
          {machine.online ? 'online' : 'offline'}, {machine.verified ? 'verified' : 'unverified'}
        </span>
      </th>
      <td>
        {machine.num_gpus}× <Link href={market}>{machine.gpu_name}</Link>
        <br />
        <span class="quiet">
          {machine.rented_gpus} rented{machine.rented_price !== null && ` at ${price(machine.rented_price)}`}
        </span>
      </td>
      <td>{machine.price === null ? 'not listed' : price(machine.price)}</td>
      <td>{standing ? <PriceScale price={machine.price} standing={standing} /> : '…'}</td>
      <td>
        {percent(machine.avail_percentile)} <span class="quiet">available</span>
        <br />
        {percent(machine.rented_percentile)} <span class="quiet">rented</span>
      </td>
      {standing ? <MarketCells standing={standing} /> : <td colSpan={2}>…</td>}
    </tr>
  )
}

function MarketCells({ standing }: { standing: Standing }) {
  const { overLow, overHigh } = standing
  return (
    <>
      <td>
        {change(standing.overMedian)}
        <br />
        <span class="quiet">
          {overHigh !== null && overHigh > 0 && `${percent(overHigh)} above p90`}
          {overLow !== null && overLow < 0 && `${percent(-overLow)} below p10`}
        </span>
      </td>
      <td>
        {dollars(standing.medianEarns)} <span class="quiet">at the rented median</span>
        <br />
        {dollars(standing.priceEarns)}{' '}
        <span class="quiet">at your price ({percent(standing.occupancy)})</span>
      </td>
    </>
  )
}
