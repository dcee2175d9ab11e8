import { Link } from 'wouter-preact'
import type { CurrentGpu } from '../../contract/current.ts'
import { cloudNameOf } from '../../contract/gpu-types.ts'
import type { CloudOffer } from '../../contract/list-prices.ts'
import { pages } from '../../contract/pages.ts'
import { cheapestOf, type ListPrices } from '../api/list-prices.ts'
import { change, nothing, priceInColumn } from '../format.ts'
import { type View, writeView } from '../view.ts'

interface OverviewProps {
  prices: ListPrices
  market: readonly CurrentGpu[]
  hrefView: View
}

/** Every GPU type with its cheapest cloud beside this market. */
export function Overview({ prices, market, hrefView }: OverviewProps) {
  const ours = market.map((gpu) => ({ name: cloudNameOf(gpu.gpu_name), gpu }))
  const others = Object.keys(prices.gpus).filter((name) => !ours.some((own) => own.name === name))
  const rows = [...ours, ...others.map((name) => ({ name, gpu: undefined }))]
    .map((row) => ({
      ...row,
      demand: cheapestOf(prices, row.name, { spot: false }),
      spot: cheapestOf(prices, row.name, { spot: true }),
    }))
    .filter(({ demand, spot }) => demand || spot)
  return (
    <div class="scrolls">
      <table>
        <caption class="unseen">The cheapest cloud of each GPU type</caption>
        <thead>
          <tr>
            <th scope="col">GPU</th>
            {['Our median', 'Our p10', 'Cloud, on demand', 'Our median to it', 'Cloud, spot'].map((title) => (
              <th key={title} scope="col" class="number">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, gpu, demand, spot }) => (
            <tr key={name}>
              <th scope="row">
                <Link href={`${pages.elsewhere}?${writeView({ ...hrefView, gpus: [name] })}`}>{name}</Link>
              </th>
              <td class="number">{priceInColumn(gpu?.price_median)}</td>
              <td class="number">{priceInColumn(gpu?.price_p10)}</td>
              <OfferCell offer={demand} />
              <td class="number">
                {demand && gpu?.price_median ? change(gpu.price_median / demand.price - 1) : nothing}
              </td>
              <OfferCell offer={spot} />
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && (
        <p class="no-data" role="status">
          No catalog was read in the last two days. Choose a GPU to see past prices.
        </p>
      )}
    </div>
  )
}

function OfferCell({ offer }: { offer: CloudOffer | undefined }) {
  return (
    <td class="number">
      {priceInColumn(offer?.price)}
      {offer && <span class="quiet"> {offer.provider}</span>}
    </td>
  )
}
