import { at, placeAt } from './matrix.ts'

/** Shares of cheaper GPUs between which the curve of rental rates is a straight line. */
export const knots: readonly number[] = Array.from({ length: 11 }, (_, index) => index / 10)

/** ln of a price relative to its product is cut at this distance. */
export const farthest = 0.9

/** A rig of a market. `product` is the index of its GPU name and memory in the list of products. */
export interface PooledRig {
  product: number
  gpus: number
  verified: boolean
  /** Null: the hosting type is unknown. */
  secure: boolean | null
}

/** Numbers of products, and the sizes of rigs of a market. */
export interface MarketShape {
  products: number
  rigs: readonly number[]
}

/** Numbers of effects: one for the market, one for each product, or one for each rig size. */
const counts = {
  level: 'one',
  product: 'product',
  slope: 'product',
  rig: 'rig',
  tier: 2,
  knot: knots.length,
  time: 3,
  back: 'one',
  back_product: 'product',
  back_rig: 'rig',
  back_tier: 2,
  off: 2,
  price: 'one',
  product_price: 'product',
} as const
export type EffectName = keyof typeof counts

/** The places of all effects on ln λ (rentals) and ln μ (returns) in one vector. */
export interface Places {
  size: number
  rigs: readonly number[]
  /** First place, and number of places. */
  of: Record<EffectName, { first: number; count: number }>
}

export function placesIn({ products, rigs }: MarketShape): Places {
  let size = 0
  const of = Object.fromEntries(
    Object.entries(counts).map(([name, kind]) => {
      const count = kind === 'one' ? 1 : kind === 'product' ? products : kind === 'rig' ? rigs.length : kind
      const first = size
      size += count
      return [name, { first, count }]
    }),
  ) as Places['of']
  return { size, rigs, of }
}

/** A row of the model: places of effects, ascending, and their factors. */
export interface Row {
  places: Int32Array
  factors: Float64Array
}

/** A place in the vector of effects, and its factor. */
export type Part = readonly [place: number, factor: number]

export function rowOf(parts: readonly Part[]): Row {
  const places = new Int32Array(parts.length)
  const factors = new Float64Array(parts.length)
  // Most parts are in order.
  for (const [index, [place, factor]] of parts.entries()) {
    let to = index
    for (; to > 0 && placeAt(places, to - 1) > place; to -= 1) {
      places[to] = placeAt(places, to - 1)
      factors[to] = at(factors, to - 1)
    }
    places[to] = place
    factors[to] = factor
  }
  return { places, factors }
}

/** The two knots beside a share, with their weights. */
export function beside(share: number): [Part, Part] {
  const place = Math.min(1, Math.max(0, share)) * (knots.length - 1)
  const knot = Math.min(knots.length - 2, Math.floor(place))
  return [
    [knot, 1 - (place - knot)],
    [knot + 1, place - knot],
  ]
}

/** Usual shares of verified machines and of data centers: effects of both are deviations from a market with these. */
const usual = { verified: 0.7, secure: 0.2 }

/** The parts of a rig that do not depend on its price: of ln λ, or of ln μ. */
function partsOfRig({ of, rigs }: Places, rig: PooledRig, isBack: boolean): Part[] {
  const size = rigs.indexOf(rig.gpus)
  const [level, product, sizes, tier] = isBack
    ? [of.back, of.back_product, of.back_rig, of.back_tier]
    : [of.level, of.product, of.rig, of.tier]
  return [
    [level.first, 1],
    [product.first + rig.product, 1],
    // A rig size that the market does not have is like the mean of all.
    ...(size < 0 ? [] : [[sizes.first + size, 1] as const]),
    [tier.first, (rig.verified ? 1 : 0) - usual.verified],
    [tier.first + 1, rig.secure === null ? 0 : (rig.secure ? 1 : 0) - usual.secure],
  ]
}

/** A price of a rig, relative to its market. */
export interface Relative {
  /** Share of the product's available GPUs that cost less; the GPUs of the rig itself are part of all. */
  share: number
  /** ln of the price ÷ the product's median price. */
  dearness: number
}

/** The hours in which something was counted: means of cosine and sine of the hour of the day, and share of the weekend. */
export interface CountedTimes {
  cosine: number
  sine: number
  weekend: number
}

/** The parts of ln λ. */
export function rentalParts(
  places: Places,
  rig: PooledRig,
  { share, dearness }: Relative,
  times?: CountedTimes,
): Part[] {
  const { of } = places
  const clipped = Math.min(farthest, Math.max(-farthest, dearness))
  return [
    ...partsOfRig(places, rig, false),
    [of.slope.first + rig.product, share - 0.5],
    ...beside(share).map(([knot, weight]): Part => [of.knot.first + knot, weight]),
    [of.price.first, clipped],
    [of.product_price.first + rig.product, clipped],
    ...(times
      ? ([
          [of.time.first, times.cosine],
          [of.time.first + 1, times.sine],
          [of.time.first + 2, times.weekend - 2 / 7],
        ] as const)
      : []),
  ]
}

/** The parts of ln μ. */
export const returnParts = (places: Places, rig: PooledRig): Part[] => partsOfRig(places, rig, true)

/** The parts of the log odds of being rented: ln λ − ln μ. */
export const oddsParts = (places: Places, rig: PooledRig, relative: Relative): Part[] => [
  ...rentalParts(places, rig, relative),
  ...returnParts(places, rig).map(([place, factor]): Part => [place, -factor]),
]

/**
 * The parts of the log odds of being rented in a snapshot, with its unknown offset. Contract prices of rented machines are older than asks,
 * so a snapshot shows too flat a curve.
 */
export const snapshotParts = (places: Places, rig: PooledRig, relative: Relative): Part[] => [
  ...oddsParts(places, rig, relative),
  [places.of.off.first, 1],
  [places.of.off.first + 1, relative.share - 0.5],
]

/** The value of a row, without the effect of its machine. */
export function linearValue({ places, factors }: Row, effects: Float64Array): number {
  let sum = 0
  for (let index = 0; index < places.length; index += 1)
    sum += at(factors, index) * at(effects, placeAt(places, index))
  return sum
}
