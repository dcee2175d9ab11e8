/** A picture of a part of the world, see web/world-map.ts. */
interface DrawnMap {
  width: number
  height: number
  /** Outlines as SVG paths. */
  land: string
  borders: string
  /** Middles of countries, by ISO 3166 code, and of regions, by name. */
  places: Record<string, [x: number, y: number]>
}

declare module 'virtual:world-map' {
  export const maps: { world: DrawnMap; europe: DrawnMap }
}
