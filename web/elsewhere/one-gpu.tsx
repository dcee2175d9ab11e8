import { useMemo } from 'preact/hooks'
import type { CurrentGpu } from '../../contract/current.ts'
import { day, hour } from '../../contract/durations.ts'
import type { CloudOffer } from '../../contract/list-prices.ts'
import { filterOf } from '../../contract/market-filter.ts'
import { simulated } from '../api/freshness.ts'
import { thisMinute } from '../api/history.ts'
import { cheapestOf, type ListPrices } from '../api/list-prices.ts'
import { useHistory, useMarket } from '../api/queries.ts'
import { Chart } from '../charts/chart.tsx'
import { Select } from '../components/select.tsx'
import { Status } from '../components/status.tsx'
import { dateTime, price } from '../format.ts'
import { ranges, type View } from '../view.ts'
import { cloudChart } from './chart.ts'

interface OneGpuProps {
  view: View
  change: (changes: Partial<View>) => void
  name: string
  /** The present figures of the type in this market. */
  market: CurrentGpu | undefined
  prices: ListPrices
}

const lengths = [
  ['24h', '24 hours', hour],
  ['7d', '7 days', hour],
  ['30d', '30 days', 6 * hour],
  ['90d', '90 days', day],
  ['1y', 'A year', day],
] as const

/** The page of one GPU type: the present price of each provider, and prices over time. */
export function OneGpu({ view, change, name, market, prices }: OneGpuProps) {
  const [range, , step] = lengths.find(([range]) => range === view.range) ?? lengths[1]
  const asked = { start: -ranges[range], step }
  const inMarket = market?.gpu_name ?? name
  const cloud = useMarket<ListPrices>('list-prices', {
    gpu_name: name,
    ...(view.gpu_memory === 'all' ? {} : { gpu_memory: view.gpu_memory }),
    ...asked,
  })
  const history = useHistory({ gpu_name: inMarket, ...filterOf(view), ...asked })
  const specs = useMemo(
    () =>
      [false, true].map((spot) =>
        cloudChart(inMarket, cloud.data?.gpus[name], history.data, {
          spot,
          zone: view.zone,
          simulated: simulated.value,
        }),
      ),
    [cloud.data, history.data, name, inMarket, view.zone, simulated.value],
  )
  const now = thisMinute()
  return (
    <>
      <Offers name={name} market={market} offers={prices.gpus[name]?.cheapest ?? []} view={view} />
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <Select
          label="Range"
          value={range}
          options={lengths.map(([value, text]) => [value, text] as const)}
          onChange={(value) => change({ range: value })}
        />
      </form>
      <Status of={[cloud, history]} hasData={cloud.data !== undefined} />
      <div class="charts">
        {specs.map((spec) => (
          <Chart
            key={spec.title}
            spec={spec}
            from={now - ranges[range]}
            to={now}
            waiting={cloud.isPending || !history.data}
            empty="No price is known for this time."
          />
        ))}
      </div>
    </>
  )
}

interface OneComparisonProps extends Pick<OneGpuProps, 'name' | 'market'> {
  prices: ListPrices | undefined
}

/** The type in one sentence. */
export function OneComparison({ name, market, prices }: OneComparisonProps) {
  const cheapest = cheapestOf(prices, name, { spot: false, sizes: [] })
  if (!cheapest || market?.price_median == null) return null
  return (
    <>
      {name} costs <strong>{price(market.price_median)}</strong> here, and{' '}
      <strong>{price(cheapest.price)}</strong> at {cheapest.provider}, the cheapest cloud on demand.
    </>
  )
}

interface OffersProps extends Pick<OneGpuProps, 'name' | 'market' | 'view'> {
  offers: readonly CloudOffer[]
}

/** The cheapest offer of each provider. */
function Offers({ name, market, offers, view }: OffersProps) {
  return (
    <div class="scrolls">
      <table>
        <caption>{name} by provider</caption>
        <thead>
          <tr>
            <th scope="col">Provider</th>
            <th scope="col" class="number">
              Price
            </th>
            <th scope="col">Kind</th>
            <th scope="col">Region</th>
            <th scope="col">Instance</th>
            <th scope="col">Last seen</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">This market, median</th>
            <td class="number">{price(market?.price_median)}</td>
            <td colSpan={4}>available</td>
          </tr>
          <tr>
            <th scope="row">This market, p10</th>
            <td class="number">{price(market?.price_p10)}</td>
            <td colSpan={4}>available</td>
          </tr>
          {offers.map((offer) => (
            <tr
              key={`${offer.catalog} ${offer.provider} ${offer.spot} ${offer.gpu_memory}`}
              class={offer.is_current ? undefined : 'past'}
            >
              <th scope="row">
                {offer.provider} <span class="quiet">{offer.catalog}</span>
              </th>
              <td class="number">{price(offer.price)}</td>
              <td>{offer.spot ? 'spot' : 'on demand'}</td>
              <td>{offer.region}</td>
              <td>
                {offer.instance_name}{' '}
                <span class="quiet">
                  {offer.gpus}× {offer.gpu_memory === null ? '' : `${offer.gpu_memory} GB`}
                </span>
              </td>
              <td>{dateTime(offer.as_of, view.zone)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {offers.length === 0 && (
        <p class="no-data" role="status">
          No cloud in the catalogs offers this GPU type.
        </p>
      )}
    </div>
  )
}
