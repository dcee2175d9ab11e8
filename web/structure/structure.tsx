import './structure.css'
import type { ComponentChildren } from 'preact'
import type { z } from 'zod'
import type { CurrentGpu } from '../../contract/current.ts'
import { week } from '../../contract/durations.ts'
import { filterOf } from '../../contract/market-filter.ts'
import type { pricesAnswer } from '../../contract/prices.ts'
import type { ReturnsAnswer } from '../../contract/returns.ts'
import type { tiersAnswer } from '../../contract/tiers.ts'
import type { WorthAnswer } from '../../contract/worth.ts'
import { cloudPriceOf, type ListPrices } from '../api/list-prices.ts'
import { useMarket } from '../api/queries.ts'
import { Icon } from '../components/icon.tsx'
import { outlines } from '../components/outlines.ts'
import { Skeleton } from '../components/skeleton.tsx'
import { Status } from '../components/status.tsx'
import { FigureTable } from '../desk/figure-table.tsx'
import { TermsTable } from '../desk/terms-table.tsx'
import { save } from '../files.ts'
import { change as changeText, count, nothing, percent, price } from '../format.ts'
import type { View } from '../view.ts'
import { BesideClouds } from './beside-clouds.tsx'
import { factorName, namedIn, withEnds, withoutWorth, worthCsv } from './named-worth.ts'
import { PriceBars } from './price-bars.tsx'

/** The market of one GPU type by price, tier, rig size and terms, and the factors that renters pay for. */
export function Structure({ view, gpu }: { view: View; gpu: string }) {
  const filters = filterOf(view)
  const { verified: _, ...ofTiers } = filters
  const range = { gpu_name: gpu, start: -week }
  const current = useMarket<{ gpus: CurrentGpu[] }>('current', filters)
  const prices = useMarket<z.infer<typeof pricesAnswer>>('prices', { ...filters, ...range, step: week })
  const tiers = useMarket<z.infer<typeof tiersAnswer>>('tiers', { ...ofTiers, ...range })
  const returns = useMarket<ReturnsAnswer>('returns', { ...filters, limit: 500 })
  const worth = useMarket<WorthAnswer>('worth', { ...filters, gpu_name: gpu })
  const allTiers = useMarket<WorthAnswer>('worth', { ...filters, verified: 'all', gpu_name: gpu })
  const clouds = useMarket<ListPrices>('list-prices', {})
  const now = current.data?.gpus.find(({ gpu_name }) => gpu_name === gpu)
  const spread = prices.data?.gpus[gpu]
  const ofTier = tiers.data?.gpus[gpu] ?? []
  const rigs = (returns.data?.classes ?? []).filter(({ gpu_name }) => gpu_name === gpu)
  const worths = ofTier.some(({ tier }) => paidForTier(allTiers.data, tier) !== nothing)
    ? ['Renters pay']
    : []
  return (
    <section
      class="structure"
      aria-labelledby="structure-title"
      aria-busy={prices.isPending || worth.isPending}
    >
      <h2 id="structure-title">Structure of {gpu}</h2>
      <p>{now && <Sentence now={now} cloud={cloudPriceOf(clouds.data, gpu, [])} />}</p>
      <Status of={[current, prices, tiers, returns, worth]} hasData={current.data !== undefined} />
      <div class="parts">
        {(prices.isPending || (spread && spread.edges.length > 1)) && (
          <Part title="GPUs at each price" about="mean of seven days; rented below, available above">
            {spread ? <PriceBars of={spread} /> : <Skeleton />}
          </Part>
        )}
        {worth.data && <Worth answer={worth.data} gpu={gpu} />}
        {ofTier.length > 0 && (
          <Part title="Tiers of hosts" about="last seven days">
            <FigureTable
              class="tiers"
              caption="Tiers of hosts"
              head="Tier"
              columns={['Machines', 'Occupancy', 'Available median', 'Beside verified', ...worths]}
              rows={ofTier.map((row) => ({
                title: row.tier,
                cells: [
                  count(row.machines),
                  percent(row.occupancy),
                  price(row.avail_median),
                  changeText(row.premium),
                  paidForTier(allTiers.data, row.tier),
                ].slice(0, 4 + worths.length),
              }))}
            />
          </Part>
        )}
        {rigs.length > 0 && (
          <Part title="Rig sizes" about="last 30 days, USD per GPU and day">
            <FigureTable
              class="rigs"
              caption="Rig sizes"
              head="Rig"
              columns={['GPUs', 'Occupancy', 'Income', 'Interval']}
              rows={rigs
                .toSorted((a, b) => a.num_gpus - b.num_gpus)
                .map(({ num_gpus, gpu_memory, supply, days_30: { occupancy, income } }) => ({
                  title: `${num_gpus}×${gpu_memory === null ? '' : ` ${gpu_memory} GB`}`,
                  cells: [
                    count(supply.gpus),
                    percent(occupancy),
                    price(income.value),
                    income.value === null ? nothing : `${price(income.low)} to ${price(income.high)}`,
                  ],
                }))}
            />
          </Part>
        )}
      </div>
      <BesideClouds view={view} gpu={gpu} />
      <TermsTable name={gpu} filters={filters} own={undefined} />
      <p class="note">
        Figures of few machines or hosts are left out, and so are the shares of single hosts. What renters pay
        for is observed, not caused. “Renters pay” is beside verified machines that are alike in all recorded
        specs, with its interval. More prices of clouds are under Clouds.
      </p>
    </section>
  )
}

interface PartProps {
  title: string
  about: string
  children: ComponentChildren
}

const Part = ({ title, about, children }: PartProps) => (
  <section class="card pad">
    <header>
      <h3>{title}</h3>
      <span class="quiet">{about}</span>
    </header>
    {children}
  </section>
)

function Sentence({ now, cloud }: { now: CurrentGpu; cloud: number | null }) {
  const { gpu_name, total_gpus, usage, price_p10, price_median, price_p90 } = now
  return (
    <>
      <strong>{count(total_gpus)}</strong> {gpu_name} GPUs are on the market
      {usage !== null && <>, {percent(usage / 100)} of them rented</>}.
      {price_median !== null && (
        <>
          {' '}
          The available ones ask <strong>{price(price_median)}</strong>, most of them {price(price_p10)} to{' '}
          {price(price_p90)}.
        </>
      )}
      {price_median !== null && cloud !== null && cloud > 0 && (
        <>
          {' '}
          The cheapest cloud asks {price(cloud)}, {percent(1 - price_median / cloud)} more is saved here.
        </>
      )}
    </>
  )
}

/** The interval of what renters pay for a tier beside verified machines, in all else alike. */
function paidForTier(answer: WorthAnswer | undefined, tier: string): string {
  const found = answer?.factors.find(({ kind, name }) => kind === 'tier' && name === tier)?.price
  return found && found.low !== null ? `${changeText(found.low)} to ${changeText(found.high)}` : nothing
}

function Worth({ answer, gpu }: { answer: WorthAnswer; gpu: string }) {
  const named = namedIn(answer)
  return (
    <Part title="What renters pay for" about="last 30 days, with intervals that hold together">
      {named.length === 0 ? (
        <p>{withoutWorth(answer)}</p>
      ) : (
        <FigureTable
          class="worth"
          caption="What renters pay for"
          head="Compared"
          columns={['Price', 'Rentals at the same price']}
          rows={named.map((factor) => ({
            title: factorName(factor),
            cells: [withEnds(factor.price) ?? nothing, withEnds(factor.fill) ?? nothing],
          }))}
        />
      )}
      {answer.factors.length > 0 && (
        <button type="button" class="outline" onClick={() => save(`worth ${gpu}.csv`, worthCsv(answer))}>
          <Icon outline={outlines.download} />
          CSV
        </button>
      )}
    </Part>
  )
}
