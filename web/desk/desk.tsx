import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { GpuDepth } from '../../contract/depth.ts'
import type { BestPrice } from '../../contract/fill-rate.ts'
import type { Mark } from '../charts/spec.ts'
import { plain } from '../format.ts'
import { pricesShown } from '../gpu/book.ts'
import type { useView } from '../view.ts'
import { ComparePrices } from './compare-prices.tsx'
import { DeskCharts } from './desk-charts.tsx'
import { Evidence } from './evidence.tsx'
import { Figures } from './figures.tsx'
import {
  bestOf,
  curveAround,
  judge,
  medianOf,
  type Offer,
  type Outlook,
  outlookAt,
  safestOf,
} from './outlook.ts'
import { OwnResults } from './own-results.tsx'
import { PriceField } from './price-field.tsx'
import type { Priced } from './priced.ts'
import { judgements, verdictOn } from './words.ts'

interface DeskProps extends Priced {
  change: ReturnType<typeof useView>[1]
  /** undefined: on their way. */
  depth: GpuDepth | undefined
  offer: Offer | undefined
}

/** Prices to compare with; null: there is none. */
interface Known {
  chosen: number
  own: number | null
  best: number | null
  safest: number | null
  median: number | null
  rentedMedian: number | null
}

const nothingOffered: GpuDepth = { price: [], available: [], rented: [], cheapest: null }

/** A price, and what to expect at it. */
export function Desk({ change, depth, offer, ...about }: DeskProps) {
  const { view, machine } = about
  const moved = useSignal<number>()
  const { price: prices, available, rented } = depth ?? nothingOffered
  const [median, rentedMedian] = [medianOf(prices, available), medianOf(prices, rented)]
  const own = machine?.price ?? null
  const base = own ?? median ?? rentedMedian ?? 1
  const curve = useMemo(() => offer && curveAround(base, offer), [offer, base])
  const best = curve && bestOf(curve)
  const settled = Number(view.price) || base
  const price = moved.value ?? settled
  const { from, to } = spanOf(depth ?? nothingOffered, [base * 0.7, base * 1.3, settled, best?.price ?? base])
  const outlook = offer && outlookAt(price, offer)
  const safest = curve ? safestOf(curve) : null
  const known = { chosen: price, own, best: best?.price ?? null, safest, median, rentedMedian }
  const choose = (price: number) => {
    moved.value = undefined
    change({ price: plain(price) }, { replace: true })
  }

  return (
    <>
      <section class="offer" aria-label="Price">
        <PriceField
          price={price}
          from={from}
          to={to}
          onMove={(price) => {
            moved.value = price
          }}
          onChoose={choose}
        />
        <Verdict outlook={outlook} best={best ?? null} />
        <Figures outlook={outlook} best={best} onChoose={choose} />
        <p class="note evidence">{outlook && <Evidence {...about} outlook={outlook} />}</p>
        {view.machine > 0 && <OwnResults machine={machine} zone={view.zone} />}
      </section>
      <DeskCharts {...about} offer={offer} base={base} from={from} to={to} marks={marksOf(known)} />
      <h2>Dearer but idle, or cheaper but full?</h2>
      <ComparePrices rows={offer ? rowsOf(known, offer) : []} onChoose={choose} />
      <p class="note">
        The figures are of the last 7 days of this market: what happened to GPUs at the same position by
        price. They are observed, not promised: a change of the price may have other effects, and rentals of
        several GPUs at once make the intervals too narrow. Before fees. The safest price is the one whose
        interval begins highest.
      </p>
    </>
  )
}

/** The prices to choose from: most of the market, and some others. */
function spanOf(depth: GpuDepth, others: readonly number[]) {
  const market = depth.price.length > 0 ? pricesShown(depth, []) : undefined
  const to = Math.max(...others, market?.to ?? 0)
  return { from: Math.max(Math.min(...others, market?.from ?? to), to / 1000), to }
}

/** The chosen price and what it is compared with, in a chart. */
function marksOf({ chosen, own, best, median }: Known): Mark[] {
  const mark = (label: string, place: number | null, color: Mark['color']): Mark[] =>
    place === null ? [] : [{ label, place, color }]
  return [
    ...mark(chosen === own ? 'Your price' : 'This price', chosen, 'own'),
    ...mark('Best price', best, 'rented'),
    ...mark('Market median', median, 'available'),
    ...(own === chosen ? [] : mark('Your price', own, 'own')),
  ]
}

/** The same with what to expect at each, cheapest first. */
function rowsOf({ chosen, own, best, safest, median, rentedMedian }: Known, offer: Offer) {
  const cheapest = offer.now[0]?.price ?? null
  const named: [string, number | null][] = [
    ['Cheapest offered', cheapest],
    ['Market median, available', median],
    ['Market median, rented', rentedMedian],
    ['Best price', best],
    ['Safest price', safest === best ? null : safest],
    ['Your price', own],
    ['This price', chosen === own ? null : chosen],
  ]
  return named
    .flatMap(([name, price]) => (price === null ? [] : [{ name, outlook: outlookAt(price, offer) }]))
    .sort((one, other) => one.outlook.price - other.outlook.price)
}

function Verdict({ outlook, best }: { outlook: Outlook | undefined; best: BestPrice | null }) {
  const judgement = outlook && judge(outlook.price, outlook.income, best)
  return (
    <output class={`verdict ${judgement ?? ''}`} aria-live="polite">
      {outlook && judgement && (
        <>
          <strong>{judgements[judgement]}.</strong> {verdictOn(outlook, best)}
        </>
      )}
    </output>
  )
}
