import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

type Triple = readonly [number, number, number]
type Matrix = readonly [Triple, Triple, Triple]

/** Colours as people see them who lack a kind of cones, on linear RGB: Machado et al. 2009, at full strength. */
const sights: Record<string, Matrix> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

const triple = (of: (place: 0 | 1 | 2) => number): Triple => [of(0), of(1), of(2)]

/** Linear RGB of a colour in hex. */
const linear = (hex: string): Triple =>
  triple((place) => {
    const part = Number.parseInt(hex.slice(1 + 2 * place, 3 + 2 * place), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })

const dot = (one: Triple, other: Triple): number => one[0] * other[0] + one[1] * other[1] + one[2] * other[2]
const seenBy = (sight: Matrix, color: Triple): Triple => triple((place) => dot(sight[place], color))

const luminance = (hex: string): number => dot([0.2126, 0.7152, 0.0722], linear(hex))
/** The contrast of WCAG 2. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** CIE L*a*b* of linear RGB. */
function lab(color: Triple): Triple {
  const clipped = triple((place) => Math.min(1, Math.max(0, color[place])))
  const curve = (value: number) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116)
  const x = curve(dot([0.4124564, 0.3575761, 0.1804375], clipped) / 0.95047)
  const y = curve(dot([0.2126729, 0.7151522, 0.072175], clipped))
  const z = curve(dot([0.0193339, 0.119192, 0.9503041], clipped) / 1.08883)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

const radians = Math.PI / 180
const angle = (a: number, b: number): number => (Math.atan2(b, a) / radians + 360) % 360

/** The distance of two colours, CIEDE2000. */
function distance([l1, a1, b1]: Triple, [l2, a2, b2]: Triple): number {
  const mean = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2
  const stretch = 1.5 - 0.5 * Math.sqrt(mean ** 7 / (mean ** 7 + 25 ** 7))
  const [c1, c2] = [Math.hypot(a1 * stretch, b1), Math.hypot(a2 * stretch, b2)]
  const [h1, h2] = [angle(a1 * stretch, b1), angle(a2 * stretch, b2)]
  const turn = c1 * c2 === 0 ? 0 : ((h2 - h1 + 540) % 360) - 180
  const hue = c1 * c2 === 0 ? h1 + h2 : h1 + turn / 2
  const [lightness, chroma] = [(l1 + l2) / 2, (c1 + c2) / 2]
  const cosine = (factor: number, shift: number) => Math.cos((factor * hue + shift) * radians)
  const t = 1 - 0.17 * cosine(1, -30) + 0.24 * cosine(2, 0) + 0.32 * cosine(3, 6) - 0.2 * cosine(4, -63)
  const off = (lightness - 50) ** 2
  const byLightness = (l2 - l1) / (1 + (0.015 * off) / Math.sqrt(20 + off))
  const byChroma = (c2 - c1) / (1 + 0.045 * chroma)
  const byHue = (2 * Math.sqrt(c1 * c2) * Math.sin((turn / 2) * radians)) / (1 + 0.015 * chroma * t)
  const bend = 60 * Math.exp(-1 * ((((hue + 360) % 360) - 275) / 25) ** 2) * radians
  const rotation = -2 * Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7)) * Math.sin(bend)
  return Math.sqrt(byLightness ** 2 + byChroma ** 2 + byHue ** 2 + rotation * byChroma * byHue)
}

/** The smallest distance between any two of some colours, as seen with a kind of sight. */
function closest(colors: readonly string[], sight: Matrix): number {
  const seen = colors.map((color) => lab(seenBy(sight, linear(color))))
  return Math.min(...seen.flatMap((one, index) => seen.slice(index + 1).map((other) => distance(one, other))))
}

const sheet = readFileSync(new URL('../../web/tokens.css', import.meta.url), 'utf8')
const themes = {
  light: /:root:not\(\[data-theme="dark"\]\) \{([\s\S]*?)\n\}/.exec(sheet)?.[1] ?? '',
  dark: /:root\[data-theme="dark"\] \{([\s\S]*?)\n\}/.exec(sheet)?.[1] ?? '',
}
const texts = ['ink', 'ink-2', 'ink-3', 'accent', 'good', 'warn', 'bad', 'info', 'axis']
const grounds = ['canvas', 'surface', 'raised', 'well', 'hover', 'accent-soft']
const states = ['good', 'warn', 'bad', 'info']

describe.each(Object.entries(themes))('the tokens of the %s theme', (_theme, block) => {
  const values = new Map(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, hex]) => [name, hex]),
  )
  const tokenOf = (name: string): string => {
    const value = values.get(name)
    if (value === undefined) throw new Error(`No token --${name}`)
    return value
  }
  const palette = Array.from({ length: 8 }, (_, index) => tokenOf(`chart-${index + 1}`))

  it.each(Object.entries(sights))('have chart colours that differ with %s', (_sight, matrix) => {
    expect(closest(palette, matrix)).toBeGreaterThanOrEqual(16)
  })

  it('give every text a contrast of 4.5 on every ground', () => {
    const pairs = [
      ...texts.flatMap((text) => grounds.map((ground) => [text, ground] as const)),
      ...states.map((state) => [state, `${state}-soft`] as const),
      ['on-accent', 'accent-fill'] as const,
      ['on-accent', 'accent-fill-hover'] as const,
    ]
    const weak = pairs.filter(([text, ground]) => contrast(tokenOf(text), tokenOf(ground)) < 4.5)
    expect(weak).toEqual([])
  })

  it('give edges of fields, states and lines of charts a contrast of 3', () => {
    const names = ['line-control', 'focus', ...states.map((state) => `${state}-fill`)]
    const colors = [...names.map(tokenOf), ...palette]
    expect(colors.filter((color) => contrast(color, tokenOf('surface')) < 3)).toEqual([])
  })
})
