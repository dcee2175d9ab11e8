import { useQueries } from '@tanstack/preact-query'
import { Link } from 'wouter-preact'
import type { z } from 'zod'
import type { CurrentGpu, currentAnswer } from '../../contract/current.ts'
import { cloudNameOf } from '../../contract/gpu-types.ts'
import type { CloudOffer } from '../../contract/list-prices.ts'
import { filterOf } from '../../contract/market-filter.ts'
import { pages } from '../../contract/pages.ts'
import { cheapestOf, type ListPrices } from '../api/list-prices.ts'
import { severalSizes } from '../api/memory.ts'
import { marketQuery, useNames } from '../api/queries.ts'
import { change, counted, nothing, percent, price } from '../format.ts'
import { type View, writeView } from '../view.ts'

/** A GPU type, or one size of its memory, with the cheapest clouds that have it. */
interface Row extends Product {
  view: View
  demand: CloudOffer | undefined
  spot: CloudOffer | undefined
}

/** The rows of all GPU types that a cloud has. */
export function useCloudRows(
  prices: ListPrices | undefined,
  market: readonly CurrentGpu[],
  hrefView: View,
): Row[] {
  const ours = useProducts(market, hrefView)
  if (!prices) return []
  const others = Object.keys(prices.gpus).filter((name) => !ours.some((own) => own.name === name))
  return [...ours, ...others.map((name): Product => ({ name, gpu: undefined, sizes: [] }))]
    .map((row) => ({
      ...row,
      // Where a GPU name has several sizes of memory, each has a row.
      view: { ...hrefView, gpus: [row.name], ...(row.only && { gpu_memory: String(row.only) }) },
      demand: cheapestOf(prices, row.name, { spot: false, sizes: row.sizes }),
      spot: cheapestOf(prices, row.name, { spot: true, sizes: row.sizes }),
    }))
    .filter(({ demand, spot }) => demand || spot)
}

/** All differences in one sentence. */
export function Comparison({ rows }: { rows: readonly Row[] }) {
  const compared = rows.flatMap(({ name, gpu, demand }) =>
    demand && gpu?.price_median ? [{ name, difference: gpu.price_median / demand.price - 1 }] : [],
  )
  const [least] = compared.toSorted((one, other) => one.difference - other.difference)
  if (!least) return null
  const cheaper = compared.filter(({ difference }) => difference < 0).length
  return (
    <>
      <strong>
        {cheaper === compared.length ? 'All' : `${cheaper} of`} {counted(compared.length, 'GPU type')}
      </strong>{' '}
      cost less here than in the cheapest cloud
      {least.difference < 0 && (
        <>
          , {least.name} <strong>{percent(-least.difference)}</strong> less
        </>
      )}
      .
    </>
  )
}

/** The table of all GPU types: the cheapest cloud beside this market. */
export function Overview({ rows }: { rows: readonly Row[] }) {
  return (
    <div class="scrolls cheapest">
      <table>
        <caption class="unseen">The cheapest cloud of each GPU type</caption>
        <thead>
          <tr>
            <th scope="col">GPU</th>
            {['Our median', 'Our p10', 'Cloud, on demand', 'Difference', 'Cloud, spot'].map((title) => (
              <th key={title} scope="col" class="number">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, only, gpu, view, demand, spot }) => (
            <tr key={`${name} ${only}`}>
              <th scope="row">
                <Link href={`${pages.elsewhere}?${writeView(view)}`}>
                  {name}
                  {only && ` ${only} GB`}
                </Link>
              </th>
              <td class="number">{price(gpu?.price_median)}</td>
              <td class="number">{price(gpu?.price_p10)}</td>
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

/** A GPU type of this market with its sizes of memory. `only`: the size of the row, if the type has several. */
interface Product {
  name: string
  gpu: CurrentGpu | undefined
  sizes: readonly number[]
  only?: number
}

/** The GPU types of the market. A type with several sizes of memory counts as several products. */
function useProducts(market: readonly CurrentGpu[], view: View): Product[] {
  const names = useNames().data ?? []
  const several = severalSizes(view.gpu_memory === 'all' ? names : [])
  const sizes = [...new Set([...several.values()].flat())]
  const answers = useQueries({
    queries: sizes.map((size) =>
      marketQuery<z.infer<typeof currentAnswer>>('current', { ...filterOf(view), gpu_memory: String(size) }),
    ),
  })
  return market.flatMap((gpu): Product[] => {
    const name = cloudNameOf(gpu.gpu_name)
    const own = several.get(gpu.gpu_name)
    const known = names.find((one) => one.name === gpu.gpu_name)?.memory ?? []
    if (!own) return [{ name, gpu, sizes: view.gpu_memory === 'all' ? known : [Number(view.gpu_memory)] }]
    return own.map((only) => {
      const found = answers[sizes.indexOf(only)]?.data?.gpus
      return { name, only, sizes: [only], gpu: found?.find(({ gpu_name }) => gpu_name === gpu.gpu_name) }
    })
  })
}

function OfferCell({ offer }: { offer: CloudOffer | undefined }) {
  return (
    <td class="number">
      {price(offer?.price)}
      {offer && <span class="quiet"> {offer.provider}</span>}
    </td>
  )
}
