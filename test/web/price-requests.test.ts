import { describe, expect, it } from 'vitest'
import type { AutopilotDecision } from '../../contract/autopilot-decisions.ts'
import { type PriceChange, requestsOf, resultLines } from '../../web/autopilot/price-requests.ts'

const change = (machine_id: number, source: string | null): PriceChange => ({
  source,
  machine_id,
  gpu_name: 'A10',
  from: 0.2,
  price: 0.3,
  floor: null,
  reason: '',
})

const decision = (machine_id: number, kind: 'hand' | 'refusal') =>
  ({
    machine_id,
    kind,
    stage: 'live',
    state: kind === 'hand' ? 'read_back' : 'noted',
    read_price: 0.3,
    reason: 'Why.',
  }) as AutopilotDecision

describe('the requests for changes of prices', () => {
  it('have at most 100 machines of one market each, and every machine once', () => {
    const changes = Array.from({ length: 350 }, (_, id) => change(id, id < 250 ? null : 'other'))
    const requests = requestsOf(changes)
    expect(requests.map(({ source, changes }) => [source, changes.length])).toEqual([
      [null, 100],
      [null, 100],
      [null, 50],
      ['other', 100],
    ])
    expect(requests.flatMap(({ changes }) => changes.map((one) => one.machine_id))).toEqual(
      changes.map(({ machine_id }) => machine_id),
    )
  })
})

describe('the results of changes of prices', () => {
  it('are a line for each of some machines', () => {
    expect(resultLines([decision(1, 'hand'), decision(2, 'refusal')])).toEqual([
      'Machine 1: Set by hand. Why.',
      'Machine 2: Not changed. Why.',
    ])
  })

  it('are counts for thousands, with the first machines that keep their price', () => {
    const decisions = Array.from({ length: 3000 }, (_, id) =>
      decision(id, id % 100 === 7 ? 'refusal' : 'hand'),
    )
    const lines = resultLines(decisions)
    expect(lines.slice(0, 3)).toEqual([
      '2,970 machines: Set by hand',
      '30 machines: Not changed',
      'Machine 7: Not changed. Why.',
    ])
    expect(lines).toHaveLength(2 + 20 + 1)
  })
})
