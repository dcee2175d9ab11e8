import './where.css'
import { useMemo } from 'preact/hooks'
import { everyMachine, filterOf } from '../../contract/market-filter.ts'
import type { MarketPlace, PlacesAnswer } from '../../contract/places.ts'
import type { WorthAnswer } from '../../contract/worth.ts'
import { useMachineList } from '../api/machines.ts'
import { useMarket, useNames } from '../api/queries.ts'
import { Buttons } from '../components/buttons.tsx'
import { Figure } from '../components/figure.tsx'
import { Icon } from '../components/icon.tsx'
import { MachineFilters } from '../components/machine-filters.tsx'
import { NoData } from '../components/no-data.tsx'
import { NoMarket } from '../components/no-market.tsx'
import { onDemand } from '../components/on-demand.tsx'
import { outlines } from '../components/outlines.ts'
import { PageHead } from '../components/page-head.tsx'
import { Select } from '../components/select.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { Status } from '../components/status.tsx'
import { csvRows, save } from '../files.ts'
import { count, counted, percent, price, wholePercent } from '../format.ts'
import { type PlaceWithWorth, premiumsOf } from '../structure/place-worth.ts'
import { useChoice, useView } from '../view.ts'
import { PlaceTable } from './place-table.tsx'
import {
  aheadOf,
  extremesOf,
  hasEurope,
  highestOf,
  limitsOf,
  ownByPlace,
  placeInSentence,
  placeName,
} from './places.ts'

const Structure = onDemand(
  async () => (await import('../structure/structure.tsx')).Structure,
  <div class="structure-awaited" />,
)
const Maps = onDemand(async () => (await import('./maps.tsx')).Maps, <div class="map awaited" />)

/** Where GPUs are: a map and a table by country or region. */
export function WherePage() {
  const address = useView()
  const view = useChoice(address, useUsualGpu(address[0].gpus))
  const [, change] = address
  const named = useNames()
  const names = named.data ?? []
  const [gpu = 'all'] = view.gpus
  const isChosen = view.gpus.length > 0
  const answer = useMarket<PlacesAnswer>(
    'places',
    { ...filterOf(view), gpu_name: gpu, by: view.by },
    isChosen,
  )
  const worth = useMarket<WorthAnswer>(
    'worth',
    { ...filterOf(view), gpu_name: gpu, by: view.by },
    answer.data !== undefined,
  )
  const premiums = premiumsOf(worth.data)
  const places = (answer.data?.places ?? []).map((row) => ({ ...row, ...premiums.get(row.place) }))
  const limits = limitsOf(places)
  const machines = useMachineList().data?.machines
  const own = useMemo(() => ownByPlace(machines ?? [], { gpu, by: view.by }), [machines, gpu, view.by])
  const types = [...new Set(['all', ...names.map(({ name }) => name).sort(), gpu])]
  return (
    <main id="content" tabIndex={-1} class="where">
      <PageHead title="Market">
        {places.length > 0 && (
          <button type="button" class="outline" onClick={() => save(`gpus-by-${view.by}.csv`, csvOf(places))}>
            <Icon outline={outlines.download} />
            CSV
          </button>
        )}
      </PageHead>
      <p class="lede">
        {answer.data && (
          <>
            <Sentence gpu={gpu} answer={answer.data} />
            <OwnPlaces own={own} places={places} />
          </>
        )}
      </p>
      <form class="filters one-row" onSubmit={(event) => event.preventDefault()}>
        <Select
          label="GPU"
          value={gpu}
          options={types.map((name) => [name, name === 'all' ? 'All types' : name] as const)}
          onChange={(name) => change({ gpus: [name] })}
        />
        <MachineFilters view={view} change={change} />
        <Buttons
          label="Places"
          value={view.by}
          options={[
            ['country', 'Countries'],
            ['region', 'Regions'],
          ]}
          onChange={(by) => change({ by })}
        />
      </form>
      <Status of={[named, answer]} hasData={answer.data !== undefined} />
      {!answer.data ? (
        <div class="card awaited" aria-busy="true">
          <Skeleton />
        </div>
      ) : named.data?.length === 0 ? (
        <NoMarket />
      ) : places.length === 0 ? (
        <NoData icon={outlines.search} title="No GPU matches these filters">
          <p>Choose another GPU type, or all machines.</p>
          <button type="button" onClick={() => change({ gpus: ['all'], ...everyMachine })}>
            Show all machines
          </button>
        </NoData>
      ) : (
        <div class={hasEurope(places) ? 'by-place with-europe' : 'by-place'}>
          <section class="card" aria-labelledby="map-title">
            <header>
              <h2 id="map-title">GPUs by {view.by}</h2>
              <span class="quiet">area is the number of GPUs</span>
              <Legend limits={limits} hasOwn={own.size > 0} />
            </header>
            <Maps places={places} limits={limits} own={own} />
            <Highlights places={places} />
          </section>
          <PlaceTable
            rows={places}
            by={view.by}
            sort={view.sort}
            own={own}
            onSort={(sort) => change({ sort })}
          />
        </div>
      )}
      {places.length > 0 && gpu !== 'all' && <Structure view={view} gpu={gpu} />}
      <p class="note">
        {premiums.size > 0 &&
          'Worth is how much more renters pay there than in all places, for machines with the same specs: only where its interval leaves out 0. '}
        Occupancy is rented ÷ all GPUs, over the last seven whole days and the newest snapshot. It is compared
        with the same GPU types in all places: observed, not promised, since machines differ between
        countries. Prices are medians of the newest snapshot, USD per GPU-hour. “Other places” has machines
        without a known country, and small countries.
      </p>
    </main>
  )
}

/** The GPU type to begin with: the most common one of the own machines, otherwise of the market. */
function useUsualGpu(chosen: readonly string[]) {
  const names = useNames()
  const own = useMachineList()
  if (chosen.length > 0) return undefined
  if (!names.data || own.isPending) return undefined
  const gpus = new Map<string, number>()
  for (const { gpu_name, num_gpus } of own.data?.machines ?? [])
    gpus.set(gpu_name, (gpus.get(gpu_name) ?? 0) + num_gpus)
  if (gpus.size === 0) for (const { name, gpus: total } of names.data) gpus.set(name, total)
  const [most] = [...gpus].sort((one, other) => other[1] - one[1])
  return { gpus: [most?.[0] ?? 'all'] }
}

/** The difference from everywhere that is worth a sentence, as a share of 1. */
const notable = 0.01

function Sentence({ gpu, answer: { places, reason, occupancy } }: { gpu: string; answer: PlacesAnswer }) {
  const thing = gpu === 'all' ? 'GPUs' : `${gpu} GPUs`
  const total = places.reduce((sum, { gpus }) => sum + gpus, 0)
  if (places.length === 0) return null
  const extremes = extremesOf(places)
  if (reason || !extremes)
    return (
      <>
        <strong>{count(total)}</strong> {thing} stand in {counted(places.length, 'place')}
        {occupancy !== null && <>, rented {percent(occupancy)} of the time</>}.
        {reason && ' This market does not report which are rented.'}
      </>
    )
  const { best, worst } = extremes
  if ((aheadOf(best) ?? 0) < notable)
    return (
      <>
        {thing} are rented about as often <strong>everywhere</strong>: {percent(occupancy)} of the time.
      </>
    )
  return (
    <>
      {thing} in <strong>{placeInSentence(best.place)}</strong> are rented {percent(best.occupancy)} of the
      time, <strong>{points(aheadOf(best))} more</strong> than on average. The least rented are in{' '}
      <strong>{placeInSentence(worst.place)}</strong>: {percent(worst.occupancy)}.
    </>
  )
}

const points = (share: number | null): string => counted(Math.round(100 * (share ?? 0)), 'point')

function Legend({ limits, hasOwn }: { limits: readonly number[]; hasOwn: boolean }) {
  if (limits.length === 0 && !hasOwn) return null
  const words =
    limits.length === 0
      ? []
      : [
          `under ${wholePercent(limits[0])}`,
          ...limits
            .slice(1)
            .map((limit, at) => `${wholePercent(limits[at]).replace(/\s*%/, '')} to ${wholePercent(limit)}`),
          `over ${wholePercent(limits.at(-1))}`,
        ]
  return (
    <ul class="shades">
      {words.map((text, at) => (
        <li key={text}>
          <i class={`shade-${4 - limits.length + at}`} /> {text}
        </li>
      ))}
      {hasOwn && (
        <li>
          <span class="dot own" /> yours
        </li>
      )}
    </ul>
  )
}

const mostNamed = 3

/** The places of the own machines, and how they compare where they are in one place. */
function OwnPlaces({ own, places }: { own: ReadonlyMap<string, number>; places: readonly MarketPlace[] }) {
  const names = [...own].sort((one, other) => other[1] - one[1]).map(([place]) => place)
  const [first] = names
  if (first === undefined) return null
  const total = [...own.values()].reduce((sum, machines) => sum + machines, 0)
  const named = names.slice(0, mostNamed).map(placeInSentence)
  const further = names.length - named.length
  const row = names.length === 1 ? places.find(({ place }) => place === first) : undefined
  const ahead = row && aheadOf(row)
  return (
    <>
      {' '}
      {total === 1 ? 'Your machine is' : `Your ${total} machines are`} in{' '}
      <strong>{listed([...named, ...(further > 0 ? [counted(further, 'further place')] : [])])}</strong>
      {ahead != null &&
        Math.abs(ahead) >= notable &&
        `, ${points(Math.abs(ahead))} ${ahead > 0 ? 'above' : 'below'} the average`}
      .
    </>
  )
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/** The places that stand out. */
function Highlights({ places }: { places: readonly MarketPlace[] }) {
  const busiest = highestOf(places, aheadOf)
  const dearest = highestOf(places, ({ rented_median }) => rented_median)
  const grown = highestOf(places, ({ gpus, gpus_before }) =>
    gpus_before === null || gpus <= gpus_before ? null : gpus - gpus_before,
  )
  if (!busiest && !dearest && !grown) return null
  return (
    <dl class="figures">
      {busiest && (
        <Figure title="Best occupancy" lead={placeName(busiest.place)}>
          {percent(busiest.occupancy)}, {counted(busiest.gpus, 'GPU')}
        </Figure>
      )}
      {dearest && (
        <Figure title="Highest price" lead={placeName(dearest.place)}>
          {price(dearest.rented_median)}, {counted(dearest.gpus, 'GPU')}
        </Figure>
      )}
      {grown && (
        <Figure title="Fastest growth, 30 days" lead={placeName(grown.place)}>
          +{counted(grown.gpus - (grown.gpus_before ?? 0), 'GPU')}
        </Figure>
      )}
    </dl>
  )
}

const csvOf = (places: readonly PlaceWithWorth[]): Blob =>
  new Blob(
    [
      csvRows([
        [
          'place',
          'machines',
          'gpus',
          'available_gpus',
          'gpus_30d_before',
          'occupancy',
          'usual_occupancy',
          'rented_median',
          'avail_median',
          'worth',
          'worth_low',
          'worth_high',
        ],
        ...places.map((row) => [
          row.place,
          row.machines,
          row.gpus,
          row.available_gpus,
          row.gpus_before,
          row.occupancy,
          row.usual_occupancy,
          row.rented_median,
          row.avail_median,
          row.premium ?? null,
          row.premium_low ?? null,
          row.premium_high ?? null,
        ]),
      ]),
    ],
    { type: 'text/csv' },
  )
