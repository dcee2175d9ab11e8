import { useSignal } from '@preact/signals'
import type { GpuDepth } from '../../contract/depth.ts'
import { filtersInForce, filtersOfClass, machinesThat } from '../../contract/market-filter.ts'
import type { OwnMachine } from '../api/queries.ts'
import type { Mark } from '../charts/spec.ts'
import { Fold } from '../components/fold.tsx'
import { NoData } from '../components/no-data.tsx'
import { outlines } from '../components/outlines.ts'
import { plain, price } from '../format.ts'
import { emptyBook, pricesShown } from '../gpu/book.ts'
import type { useView } from '../view.ts'
import { ComparePrices } from './compare-prices.tsx'
import { DeskCharts } from './desk-charts.tsx'
import { Evidence } from './evidence.tsx'
import { Figures } from './figures.tsx'
import { Headline } from './headline.tsx'
import { NetFigures } from './net-figures.tsx'
import { type DeskOffer, medianOf, outlookAt } from './outlook.ts'
import { OwnResults } from './own-results.tsx'
import { PriceField } from './price-field.tsx'
import { PriceNotes } from './price-notes.tsx'
import type { Priced } from './priced.ts'
import { RatesByTerms } from './rates-by-terms.tsx'
import { RentalHours } from './rental-hours.tsx'
import { Replay } from './replay.tsx'
import { StartPrice } from './start-price.tsx'
import { TermsTable } from './terms-table.tsx'

interface DeskProps extends Priced {
  change: ReturnType<typeof useView>[1]
  /** Rented GPUs of own machines count at listed prices. */
  isListed: boolean
  /** undefined: being read. */
  depth: GpuDepth | undefined
  offer: DeskOffer | undefined
}

/** The own price and the market's median; null: there is none. */
interface DeskData {
  chosen: number
  own: number | null
  /** The recommended price instead of the own price, or as the first price, and the price that further steps lead to. */
  recommended: number | null
  end: number | null
  median: number | null
  rentedMedian: number | null
}

/** A price, and the expected results at it. */
export function Desk({ change, depth, offer, isListed, ...about }: DeskProps) {
  const { view, machine } = about
  const moved = useSignal<number>()
  const { price: prices, available, rented } = depth ?? emptyBook
  const [median, ofRented] = [medianOf(prices, available), medianOf(rented.price, rented.gpus)]
  const own = machine?.price ?? null
  const advice = machine?.figures?.advice
  const usual =
    offer &&
    medianOf(
      offer.book.map((ask) => ask.price),
      offer.book.map((ask) => ask.gpus),
    )
  const base = own ?? median ?? ofRented ?? usual ?? null
  if (!offer) return <Awaited />
  if (base === null)
    return (
      <NoData icon={outlines.tag} title="There is no price to begin with">
        <p>None of these machines is on the market. Choose another GPU type or fewer filters.</p>
      </NoData>
    )
  // The desk opens at the price that it recommends, with the present one beside it.
  const isChange = advice?.price != null && advice.price !== own && machine?.online
  const settled = Number(view.price) || (isChange ? advice.price : null) || base
  const at = moved.value ?? settled
  const { from, to } = spanOf(depth ?? emptyBook, [
    base * 0.7,
    base * 1.3,
    settled,
    advice?.end_price ?? base,
  ])
  const outlook = outlookAt(at, offer)
  const now = own === null || own === at ? undefined : outlookAt(own, offer)
  const said = own === null || at === own || at === advice?.price ? advice : undefined
  const recommended = advice?.price ?? null
  const end = advice?.end_price ?? null
  const known = { chosen: at, own, recommended, end, median, rentedMedian: ofRented }
  const compared = rowsOf(known, offer)
  const choose = (price: number) => {
    moved.value = undefined
    change({ price: plain(price) }, { replace: true })
  }

  return (
    <>
      <section class="card offer" aria-label="Price">
        {machine && <About machine={machine} />}
        <Headline outlook={outlook} advice={said} onChoose={choose} machine={machine} margin={offer.margin} />
        {view.machine === 0 && <StartPrice name={about.name} filters={about.filters} onChoose={choose} />}
        <PriceNotes machine={machine} isListed={isListed} />
        <PriceField
          price={at}
          from={from}
          to={to}
          onMove={(price) => {
            moved.value = price
          }}
          onChoose={choose}
        />
        <Figures outlook={outlook} now={now} advice={said} />
        <p class="note evidence">
          <Evidence {...about} outlook={outlook} isReasonSaid={!said} />
        </p>
      </section>
      <DeskCharts {...about} offer={offer} base={base} from={from} to={to} marks={marksOf(known)} />
      <div class="card results">
        <NetFigures outlook={outlook} now={now} offer={offer} slot={about.slot} machine={view.machine} />
        {view.machine > 0 && <OwnResults machine={machine} isListed={isListed} zone={view.zone} />}
      </div>
      {view.machine > 0 && <Replay machine={view.machine} price={settled} />}
      <Fold title="Higher price or higher occupancy?" answer={`${compared.length} prices`}>
        <ComparePrices rows={compared} onChoose={choose} />
        <p class="note">
          Medians, offers and cheaper GPUs are those of {machinesThat(about.shown)} now. The other figures are
          based on the last 7 days of this market and GPUs in the same price decile. They are observations,
          not promises: changing the price may have other effects. Income is before costs; net is after the
          known costs. The recommended price of an own machine comes from an estimate over all GPU types, in
          steps of at most 20 %{offer.margin && ', and is never below the floor'}.
        </p>
      </Fold>
      <TermsTable
        name={about.name}
        filters={about.filters}
        own={about.view.machine > 0 ? (machine?.terms ?? null) : undefined}
      />
      <RatesByTerms name={about.name} filters={about.filters} machine={view.machine} />
      <RentalHours name={about.name} filters={about.filters} zone={view.zone} />
    </>
  )
}

/** The range of prices to choose from: the range of most of the market, and the given prices. */
function spanOf(depth: GpuDepth, others: readonly number[]) {
  const market = depth.price.length > 0 ? pricesShown(depth, []) : undefined
  const to = Math.max(...others, market?.to ?? 0)
  return { from: Math.max(Math.min(...others, market?.from ?? to), to / 1000), to }
}

/** The chosen price and what it is compared with, in a chart. */
function marksOf({ chosen, own, recommended, median }: DeskData): Mark[] {
  const mark = (name: string, place: number | null, color: Mark['color']): Mark[] =>
    place === null ? [] : [{ label: `${name} ${price(place)}`, place, color }]
  return [
    ...mark('yours', own, 'own'),
    ...mark('recommended', recommended === own ? null : recommended, 'rented'),
    ...mark('market', median, 'available'),
    ...(chosen === own || chosen === recommended ? [] : mark('chosen', chosen, 'own')),
  ]
}

/** The same prices with the expected results at each, cheapest first. */
function rowsOf({ chosen, own, recommended, end, median, rentedMedian }: DeskData, offer: DeskOffer) {
  const cheapest = offer.now[0]?.price ?? null
  const named: [string, number | null][] = [
    ['Cheapest available', cheapest],
    ['Market median, available', median],
    ['Market median, rented', rentedMedian],
    ['Recommended', recommended === own ? null : recommended],
    ['Final goal', end === recommended ? null : end],
    ['Your price', own],
    ['Chosen price', chosen === own ? null : chosen],
  ]
  return named
    .flatMap(([name, price]) => (price === null ? [] : [{ name, outlook: outlookAt(price, offer) }]))
    .sort((one, other) => one.outlook.price - other.outlook.price)
}

/** The machine of the price: its class, and its rentals. */
const About = ({ machine }: { machine: OwnMachine }) => {
  const kind = filtersInForce(filtersOfClass(machine)).filter(
    ([name]) => !['num_gpus', 'gpu_memory'].includes(name),
  )
  return (
    <p class="quiet about">
      <strong title={machine.gpu_name}>
        {machine.num_gpus}× {machine.gpu_name}
      </strong>
      {[
        `machine ${machine.id}`,
        kind.map(([, words]) => words).join(', '),
        machine.rented_gpus !== null && `${machine.rented_gpus} of ${machine.num_gpus} rented`,
      ]
        .filter(Boolean)
        .map((words) => ` · ${words}`)}
    </p>
  )
}

/** The placeholder of the price while it is being read: without a figure and without a button. */
const Awaited = () => (
  <section class="card offer skeleton" aria-busy="true" aria-label="Price">
    <i />
    <i />
    <i />
  </section>
)
