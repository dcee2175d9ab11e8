/** The parts that few visits need. They are loaded at the visitor's first action, so that they work when the network is lost later. */
export const parts = {
  filters: () => import('../components/machine-filters.tsx'),
  gpus: () => import('./gpu-options.tsx'),
  options: () => import('./options-panel.tsx'),
  range: () => import('./range-form.tsx'),
  small: () => import('./small-charts.tsx'),
  touch: () => import('../charts/touch.ts'),
  table: () => import('../charts/table.tsx'),
  tip: () => import('../charts/tip.tsx'),
}

/** Loads the parts once the visitor does something. Returns a function that cancels this. */
export function loadPartsSoon(): () => void {
  const ending = new AbortController()
  const load = () => {
    ending.abort()
    for (const part of Object.values(parts)) part().catch(() => {}) // loaded again when it is opened
  }
  for (const event of ['pointermove', 'pointerdown', 'keydown'])
    addEventListener(event, load, { signal: ending.signal })
  return () => ending.abort()
}
