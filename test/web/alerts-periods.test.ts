import { expect, it } from 'vitest'
import { periodsOf } from '../../web/alerts/periods.ts'

it('shades each alert until it is resolved, and one that still fires until the end', () => {
  const entry = (what: 'fired' | 'resolved', slot: number) => ({
    what,
    slot,
    machine_id: null,
    since: slot,
    value: 1,
    limit: 1,
    text: '',
  })
  const entries = [entry('fired', 10), entry('resolved', 20), entry('fired', 50)]
  expect(periodsOf({ entries, to: 60 })).toEqual([
    { from: 10, to: 20 },
    { from: 50, to: 60 },
  ])
})
