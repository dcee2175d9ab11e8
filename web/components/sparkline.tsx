import type { Value } from '../charts/spec.ts'

const [width, height, margin] = [80, 22, 3]

/** The course of some values without an axis. The figures are beside it, so it is hidden from screen readers. */
export function Sparkline({ values, color }: { values: readonly Value[]; color?: string | undefined }) {
  const known = values.filter((value) => value !== null)
  const [low, high] = [Math.min(...known), Math.max(...known)]
  const at = (value: number, index: number) => {
    const x = margin + (index / Math.max(1, values.length - 1)) * (width - 2 * margin)
    const y = height - margin - ((value - low) / (high - low || 1)) * (height - 2 * margin)
    return `${x.toFixed(1)} ${y.toFixed(1)}`
  }
  const path = values.map((value, index) =>
    value === null ? '' : `${(values[index - 1] ?? null) === null ? 'M' : 'L'}${at(value, index)}`,
  )
  const last = values.findLastIndex((value) => value !== null)
  const [x, y] = last < 0 ? [] : at(values[last] ?? 0, last).split(' ')
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      aria-hidden="true"
    >
      <path d={path.join('')} style={color && { stroke: color }} />
      {x !== undefined && <circle cx={x} cy={y} r="2" style={color && { fill: color }} />}
    </svg>
  )
}
