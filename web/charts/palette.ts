import type { Theme } from '../theme.ts'

/** Each at least 3:1 against its background (WCAG 1.4.11), in an order that neighbours are told apart in. */
const series: Record<Theme, string[]> = {
  light: ['#0b5cad', '#c2410c', '#15803d', '#7e22ce', '#be123c', '#0e7490', '#92600a', '#4b5563'],
  dark: ['#60a5fa', '#fb923c', '#4ade80', '#c084fc', '#fb7185', '#22d3ee', '#facc15', '#9ca3af'],
}

export const colors = {
  light: { background: '#ffffff', text: '#373c44', quiet: '#5b6474', grid: '#e3e7ee' },
  dark: { background: '#13171f', text: '#e3e7ee', quiet: '#a4acba', grid: '#2a303c' },
}

/** How many things can be told apart. */
export const distinct = series.light.length

export const colorOf = (theme: Theme, index: number): string => series[theme][index % distinct] ?? ''
