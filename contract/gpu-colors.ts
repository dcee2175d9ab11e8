// The page imports this file, so it must not import zod.
import { mostCompared } from './chart-choices.ts'

/**
 * A colour for each name, as an index below eight. A name has the same colour in every chart, unless two of `names` would share it. Then
 * the later one gets the next free colour.
 */
export function colorsOf(names: readonly string[]): Map<string, number> {
  const colors = new Map<string, number>()
  const taken = new Set<number>()
  for (const name of names.slice(0, mostCompared)) {
    let color =
      [...name].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 9973, 7) % mostCompared
    while (taken.has(color)) color = (color + 1) % mostCompared
    taken.add(color)
    colors.set(name, color)
  }
  return colors
}
