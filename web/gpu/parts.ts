/** What few visits need: loaded at the first thing that the visitor does, so that it is there when the network is gone. */
export const parts = {
  options: () => import('./options-panel.tsx'),
  range: () => import('./range-form.tsx'),
  small: () => import('./small-charts.tsx'),
  table: () => import('../charts/table.tsx'),
}

/** Loads the parts once the visitor does something. Returns what takes that back. */
export function loadPartsSoon(): () => void {
  const ending = new AbortController()
  const load = () => {
    ending.abort()
    for (const part of Object.values(parts)) part().catch(() => {}) // asked for again when it is opened
  }
  for (const event of ['pointermove', 'pointerdown', 'keydown'])
    addEventListener(event, load, { signal: ending.signal })
  return () => ending.abort()
}
