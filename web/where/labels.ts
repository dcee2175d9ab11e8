/** A circle with its text. */
interface Labelled {
  x: number
  y: number
  radius: number
  text: string
}

export interface Label {
  text: string
  /** The middle of the text. */
  x: number
  y: number
}

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

const lineHeight = 14
const letter = 6.6
const gap = 4

const overlaps = (one: Box, other: Box) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

const around = ({ x, y }: { x: number; y: number }, halfWidth: number, halfHeight: number): Box => ({
  left: x - halfWidth,
  right: x + halfWidth,
  top: y - halfHeight,
  bottom: y + halfHeight,
})

/**
 * Places for the texts of circles, in their order: beside a circle, under or above it, or at a corner, where neither a circle nor an earlier text is. A text without
 * such a place is left out.
 */
export function placeLabels(
  circles: readonly Labelled[],
  { width, height }: { width: number; height: number },
) {
  const taken = circles.map((circle) => around(circle, circle.radius, circle.radius))
  return circles.flatMap(({ x, y, radius, text }): Label[] => {
    const half = (text.length * letter) / 2
    const beside = radius + gap + half
    const below = radius + gap + lineHeight / 2
    const free = [
      { x: x + beside, y },
      { x: x - beside, y },
      { x, y: y + below },
      { x, y: y - below },
      ...[1, -1].flatMap((side) => [
        { x: x + side * (half + radius), y: y + below },
        { x: x + side * (half + radius), y: y - below },
      ]),
      { x, y: y - below - lineHeight },
      { x, y: y + below + lineHeight },
    ].find((middle) => {
      const box = around(middle, half, lineHeight / 2)
      const isInside = box.left >= 0 && box.right <= width && box.top >= 0 && box.bottom <= height
      return isInside && !taken.some((other) => overlaps(box, other))
    })
    if (!free) return []
    taken.push(around(free, half + gap, lineHeight / 2))
    return [{ ...free, text }]
  })
}
