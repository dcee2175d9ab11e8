import type { MarketPlace } from '../../contract/places.ts'
import { regionOf } from '../../contract/regions.ts'

let words: Intl.DisplayNames | undefined
let shortWords: Intl.DisplayNames | undefined

const isCode = (place: string) => /^[A-Z]{2}$/.test(place)

/** The name of a country or a region; the short one as in "UK". */
export function placeName(place: string, style: 'long' | 'short' = 'long'): string {
  if (place === '') return 'Other places'
  if (!isCode(place)) return place
  words ??= new Intl.DisplayNames('en', { type: 'region' })
  shortWords ??= new Intl.DisplayNames('en', { type: 'region', style: 'short' })
  return (style === 'long' ? words : shortWords).of(place) ?? place
}

/** The name in a sentence: "the United States". */
export const placeInSentence = (place: string): string =>
  /^(United|Netherlands|Philippines)/.test(placeName(place)) ? `the ${placeName(place)}` : placeName(place)

/** Places with fewer GPUs are not named as the best or the worst. */
const fewestNamed = 20

interface Extremes {
  best: MarketPlace
  worst: MarketPlace
}

/** The occupancy of a place above the occupancy of the same GPU types everywhere, as a share of 1. */
export const aheadOf = ({ occupancy, usual_occupancy: usual }: MarketPlace): number | null =>
  occupancy === null || usual === null ? null : occupancy - usual

/** The places that are rented most and least often, compared with the same GPU types everywhere; undefined: no two are known. */
export function extremesOf(places: readonly MarketPlace[]): Extremes | undefined {
  const known = rankedBy(places, aheadOf)
  const [best] = known
  const worst = known.at(-1)
  return best && worst && best !== worst ? { best, worst } : undefined
}

/** The place with the highest value of a figure; undefined: no place with enough GPUs has one. */
export const highestOf = (places: readonly MarketPlace[], of: Figure): MarketPlace | undefined =>
  rankedBy(places, of)[0]

type Figure = (row: MarketPlace) => number | null

/** The places with enough GPUs and a value of the figure, the highest value first. */
const rankedBy = (places: readonly MarketPlace[], of: Figure): MarketPlace[] =>
  places
    .filter((row) => row.place !== '' && row.gpus >= fewestNamed && of(row) !== null)
    .sort((one, other) => (of(other) ?? 0) - (of(one) ?? 0))

/** Limits between four shades: the quartiles of the occupancy, in whole percent. */
export function limitsOf(places: readonly MarketPlace[]): number[] {
  const known = places
    .flatMap(({ occupancy }) => (occupancy === null ? [] : [occupancy]))
    .sort((one, other) => one - other)
  const at = (part: number) => Math.round(100 * (known[Math.floor(part * (known.length - 1))] ?? 0)) / 100
  return known.length > 3 ? [...new Set([at(0.25), at(0.5), at(0.75)])] : []
}

/** The shade of an occupancy, 1 the lightest to 4; 0: unknown. */
export const shadeOf = (occupancy: number | null, limits: readonly number[]): number =>
  occupancy === null ? 0 : 4 - limits.filter((limit) => occupancy < limit).length

const fewestInEurope = 4

/** True if a map of its own shows the countries of Europe, which would cover each other on the map of the world. */
export const hasEurope = (places: readonly MarketPlace[]): boolean =>
  places.filter(({ place }) => regionOf.get(place) === 'Europe').length >= fewestInEurope

/** The places of the world map: the countries of Europe are together where they have a map of their own. */
export function forWorld(
  places: readonly MarketPlace[],
): Pick<MarketPlace, 'place' | 'gpus' | 'occupancy'>[] {
  if (!hasEurope(places)) return [...places]
  const inEurope = places.filter(({ place }) => regionOf.get(place) === 'Europe')
  const known = inEurope.filter(({ occupancy }) => occupancy !== null)
  const sum = (rows: typeof inEurope, of: (row: MarketPlace) => number) =>
    rows.reduce((total, row) => total + of(row), 0)
  const rented = sum(known, ({ gpus, occupancy }) => gpus * (occupancy ?? 0))
  const europe = {
    place: 'Europe',
    gpus: sum(inEurope, ({ gpus }) => gpus),
    occupancy: known.length > 0 ? rented / sum(known, ({ gpus }) => gpus) : null,
  }
  return [...places.filter((row) => !inEurope.includes(row)), europe].sort(
    (one, other) => other.gpus - one.gpus,
  )
}

/** The number of own machines by place; machines without a known country are left out. */
export function ownByPlace(
  machines: readonly { gpu_name: string; country: string | null }[],
  { gpu, by }: { gpu: string; by: 'country' | 'region' },
): Map<string, number> {
  const own = new Map<string, number>()
  for (const { gpu_name, country } of machines) {
    const place = by === 'country' ? country : regionOf.get(country ?? '')
    if (!place || (gpu !== 'all' && gpu_name !== gpu)) continue
    own.set(place, (own.get(place) ?? 0) + 1)
  }
  return own
}

/** The own machines on the world map, where the countries of Europe may be together. */
export function ownOnWorld(
  own: ReadonlyMap<string, number>,
  places: readonly MarketPlace[],
): Map<string, number> {
  if (!hasEurope(places)) return new Map(own)
  const onWorld = new Map<string, number>()
  for (const [place, count] of own) {
    const at = regionOf.get(place) === 'Europe' ? 'Europe' : place
    onWorld.set(at, (onWorld.get(at) ?? 0) + count)
  }
  return onWorld
}
