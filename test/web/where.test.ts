import { expect, it } from 'vitest'
import type { MarketPlace } from '../../contract/places.ts'
import { placeLabels } from '../../web/where/labels.ts'
import {
  extremesOf,
  forWorld,
  limitsOf,
  ownByPlace,
  placeInSentence,
  placeName,
  shadeOf,
} from '../../web/where/places.ts'

const place = (code: string, gpus: number, occupancy: number | null = 0.5): MarketPlace => ({
  place: code,
  machines: gpus,
  gpus,
  available_gpus: 0,
  gpus_before: null,
  occupancy,
  usual_occupancy: occupancy === null ? null : 0.6,
  rented_median: 1,
  avail_median: 1,
})

it('labels of places overlap neither each other nor the circles of other places', () => {
  const size = { width: 400, height: 300 }
  const circles = Array.from({ length: 40 }, (_, at) => ({
    x: 20 + ((at * 97) % 360),
    y: 20 + ((at * 53) % 260),
    radius: 3 + (at % 9),
    text: `Country ${at}`,
  }))
  const labels = placeLabels(circles, size)
  expect(labels.length).toBeGreaterThan(10)
  const half = (text: string) => text.length * 3.3
  for (const one of labels) {
    expect(one.x - half(one.text)).toBeGreaterThanOrEqual(0)
    expect(one.x + half(one.text)).toBeLessThanOrEqual(size.width)
    for (const other of labels.filter((label) => label !== one)) {
      const apart =
        Math.abs(one.x - other.x) >= half(one.text) + half(other.text) - 1e-9 ||
        Math.abs(one.y - other.y) >= 14 - 1e-9
      expect(apart, `${one.text} and ${other.text}`).toBe(true)
    }
    for (const circle of circles)
      expect(
        Math.abs(one.x - circle.x) >= half(one.text) + circle.radius - 1e-9 ||
          Math.abs(one.y - circle.y) >= 7 + circle.radius - 1e-9,
        `${one.text} and the circle of ${circle.text}`,
      ).toBe(true)
  }
})

it('the map of the world has one circle for Europe where its countries have a map of their own', () => {
  const places = [
    place('US', 100),
    place('DE', 60),
    place('FR', 40, 1),
    place('GB', 20),
    place('NL', 10, null),
  ]
  expect(forWorld(places)).toEqual([
    { place: 'Europe', gpus: 130, occupancy: (60 * 0.5 + 40 + 20 * 0.5) / 120 },
    places[0],
  ])
  expect(forWorld(places.slice(0, 4))).toEqual(places.slice(0, 4))
})

it('the most and the least rented places have enough GPUs and a known country', () => {
  const places = [
    place('NO', 5, 1),
    place('', 500, 1),
    place('SE', 30, 0.9),
    place('IN', 40, 0.2),
    place('US', 90),
  ]
  const { best, worst } = extremesOf(places) ?? {}
  expect([best?.place, worst?.place]).toEqual(['SE', 'IN'])
  expect(extremesOf([place('US', 90), place('DE', 90, null)])).toBeUndefined()
})

it('shades are the quarters of the places by occupancy', () => {
  const limits = limitsOf([0.5, 0.6, 0.7, 0.8, 0.9].map((occupancy) => place('US', 9, occupancy)))
  expect(limits).toEqual([0.6, 0.7, 0.8])
  expect([0.5, 0.6, 0.75, 0.95, null].map((occupancy) => shadeOf(occupancy, limits))).toEqual([1, 2, 3, 4, 0])
})

it('a place has a name for tables and for sentences', () => {
  expect(placeName('US')).toBe('United States')
  expect(placeName('US', 'short')).toBe('US')
  expect(placeInSentence('NL')).toBe('the Netherlands')
  expect(placeName('South America')).toBe('South America')
  expect(placeName('')).toBe('Other places')
})

it('own machines count by country or region, of one GPU type or of all', () => {
  const machines = [
    { gpu_name: 'RTX 4090', country: 'DE' },
    { gpu_name: 'RTX 4090', country: 'FR' },
    { gpu_name: 'H100 SXM', country: 'DE' },
    { gpu_name: 'RTX 4090', country: null },
  ]
  expect([...ownByPlace(machines, { gpu: 'RTX 4090', by: 'country' })]).toEqual([
    ['DE', 1],
    ['FR', 1],
  ])
  expect([...ownByPlace(machines, { gpu: 'all', by: 'region' })]).toEqual([['Europe', 3]])
})
