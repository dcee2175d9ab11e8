import { createRequire } from 'node:module'
import { type GeoProjection, geoArea, geoCentroid, geoConicConformal, geoEqualEarth, geoPath } from 'd3-geo'
import type { Polygon } from 'geojson'
import isoCountries from 'i18n-iso-countries'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import type { Plugin } from 'vite'
import { regionOf } from '../contract/regions.ts'

const load = createRequire(import.meta.url)
type Atlas = Topology<{ countries: GeometryCollection; land: GeometryCollection }>
const coarse: Atlas = load('world-atlas/countries-110m.json')
const fine: Atlas = load('world-atlas/countries-50m.json')

/** Middles that differ from the middle of the largest part of the land: others would hide them, or are far from people. Longitude and latitude. */
const betterMiddles: Record<string, [number, number]> = {
  AU: [134, -25],
  US: [-98, 39],
  CA: [-104, 52],
  NO: [8.8, 60.8],
  SE: [15.2, 59.8],
  FI: [26, 62.3],
  RU: [44, 56],
}

const regionMiddles: Record<string, [number, number]> = {
  'North America': [-98, 41],
  'South America': [-58, -15],
  Europe: [12, 50],
  Asia: [105, 33],
  Africa: [21, 3],
  Oceania: [134, -26],
}

/** The middle of the largest part of each country, by its ISO 3166 code. */
function middlesOfCountries(): [string, [number, number]][] {
  const { features } = feature(fine, fine.objects.countries)
  const shapeOf = new Map(features.map(({ id, geometry }) => [id, geometry]))
  return [...regionOf.keys()].flatMap((code): [string, [number, number]][] => {
    const land = shapeOf.get(isoCountries.alpha2ToNumeric(code))
    if (land?.type !== 'Polygon' && land?.type !== 'MultiPolygon') return []
    const parts = land.type === 'Polygon' ? [land.coordinates] : land.coordinates
    const polygons = parts.map((coordinates): Polygon => ({ type: 'Polygon', coordinates }))
    const [largest] = polygons.sort((one, other) => geoArea(other) - geoArea(one))
    return largest ? [[code, geoCentroid(largest)]] : []
  })
}

interface Picture {
  /** Longitudes and latitudes that are just inside. */
  box: [number, number][]
  height: number
  /** Longitude and latitude of each place. */
  middles: Record<string, [number, number]>
}

const corners = (box: [number, number][]) => ({ type: 'MultiPoint' as const, coordinates: box })

/** A path with steps in whole units, which has a third of the bytes. Rings that shrink to a point are left out. */
function inSteps(path: string): string {
  const rings = path
    .split('M')
    .filter(Boolean)
    .map((ring) => {
      const points = ring
        .replace('Z', '')
        .split('L')
        .map((point) => point.split(',').map(Number))
      return points.filter(([x, y], at) => at === 0 || x !== points[at - 1]?.[0] || y !== points[at - 1]?.[1])
    })
  return rings
    .filter((points) => points.length > 2)
    .map(([[left = 0, top = 0] = [], ...points]) => {
      let [x, y] = [left, top]
      const steps = points.map(([toX = 0, toY = 0]) => {
        const step = `${toX - x} ${toY - y}`
        x = toX
        y = toY
        return step
      })
      return `M${left} ${top}l${steps.join(' ').replaceAll(' -', '-')}`
    })
    .join('')
}

/** Land and borders of one picture in whole units, and the places that are inside. */
function draw(atlas: Atlas, projection: GeoProjection, { box, height, middles }: Picture): DrawnMap {
  const width = 700
  projection.fitSize([width, height], corners(box)).clipExtent([
    [0, 0],
    [width, height],
  ])
  const path = geoPath(projection).digits(0)
  return {
    width,
    height,
    land: inSteps(path(feature(atlas, atlas.objects.land)) ?? ''),
    borders: inSteps(path(mesh(atlas, atlas.objects.countries, (one, other) => one !== other)) ?? ''),
    places: Object.fromEntries(
      Object.entries(middles).flatMap(([name, middle]) => {
        const [x = 0, y = 0] = projection(middle) ?? []
        const isInside = x > 0 && x < width && y > 0 && y < height
        return isInside ? [[name, [Math.round(x), Math.round(y)]]] : []
      }),
    ),
  }
}

const name = 'virtual:world-map'

/** Draws the maps of the page Where when the page is built, so that a browser loads finished outlines and no library. */
export const worldMap: Plugin = {
  name: 'world-map',
  resolveId: (id) => (id === name ? `\0${name}` : undefined),
  load(id) {
    if (id !== `\0${name}`) return undefined
    const middles = { ...Object.fromEntries(middlesOfCountries()), ...betterMiddles, ...regionMiddles }
    const world = draw(coarse, geoEqualEarth().rotate([-10, 0]), {
      box: [
        [-128, 15],
        [-60, 71],
        [-66, -52],
        [178, -38],
      ],
      height: 360,
      middles,
    })
    const europe = draw(fine, geoConicConformal().parallels([40, 62]).rotate([-13, 0]), {
      box: [
        [-9, 37],
        [-6, 63],
        [34, 63],
        [33, 36],
      ],
      height: 340,
      middles,
    })
    return `export const maps = ${JSON.stringify({ world, europe })}`
  },
}
