import { computed, effect, signal } from '@preact/signals'
import { keep, kept } from './storage.ts'

export type Theme = 'light' | 'dark'

const storageName = 'rackrate-theme'
const system = matchMedia('(prefers-color-scheme: dark)')
const systemTheme = signal<Theme>(system.matches ? 'dark' : 'light')
system.addEventListener('change', ({ matches }) => {
  systemTheme.value = matches ? 'dark' : 'light'
})

const stored = kept('localStorage', storageName)
const chosen = signal<Theme | undefined>(stored === 'light' || stored === 'dark' ? stored : undefined)

const paper = matchMedia('print')

/** True while the page is being printed. All charts are drawn again for it. */
export const isPrinting = signal(paper.matches)
paper.addEventListener('change', () => {
  isPrinting.value = paper.matches
})
addEventListener('beforeprint', () => {
  isPrinting.value = true
})
addEventListener('afterprint', () => {
  isPrinting.value = paper.matches
})

/** The theme: light on paper, otherwise the visitor's choice, otherwise the preference of the system. */
export const theme = computed<Theme>(() => (isPrinting.value ? 'light' : (chosen.value ?? systemTheme.value)))

export function chooseTheme(wanted: Theme): void {
  chosen.value = wanted
  keep('localStorage', storageName, wanted)
}

effect(() => {
  document.documentElement.dataset.theme = theme.value
  document.documentElement.toggleAttribute('data-printing', isPrinting.value)
})
