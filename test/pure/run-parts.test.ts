import { expect, it } from 'vitest'
import { holdAfter } from '../../ingest/run-parts.ts'

it.each([
  [0, 5000, 5000],
  [4000, 5000, 5000],
  [20_000, 5000, 20_000],
  [600_000, 5000, 30_000],
  [600_000, 60_000, 60_000],
])(
  'a check that waited %i ms for the series holds it longer than %i ms, but not endlessly',
  (waited, usual, hold) => {
    expect(holdAfter(waited, usual)).toBe(hold)
  },
)
