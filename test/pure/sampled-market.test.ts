import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expectTrueCounts, openSweep, sweepSlots } from '../properties/sampled-market.ts'
import { openSampledMarket, type SampledMarket } from '../sampled-market.ts'

let market: SampledMarket
beforeEach(async () => {
  market = await openSampledMarket({ offers: 400 })
})
afterEach(() => market.close())

describe('a search that answers samples', () => {
  it('is swept within the budget, to the true counts and without false leavings', async () => {
    const slots = await sweepSlots(market, 12)
    expectTrueCounts(slots, 0.06)
    expect(market.refused).toBe(0)
    // Before the first sweep has ended, the reported share of the market is small.
    const [first] = slots
    expect(first?.coverage).toMatchObject({ method: 'repeats', problem: null })
    expect(first?.coverage.low).toBeLessThan(first?.found ?? 0)
  })

  it('carries machines that a cut sweep has not seen, and names the problem', async () => {
    const sweep = openSweep(market)
    for (let slot = 0; slot < 8; slot += 1) await sweep.take()
    const faults: Record<string, [(typeof market)['fault'], RegExp]> = {
      html: [(response) => Boolean(response.end('<html>maintenance</html>')), /not JSON/],
      'status 429': [
        (response) => Boolean(response.writeHead(429, { 'retry-after': '900' }).end('slow down')),
        /status 429.*sweep of this slot ended after \d+ searches/,
      ],
      'status 500': [(response) => Boolean(response.writeHead(500).end()), /status 500/],
    }
    for (const [name, [fault, problem]] of Object.entries(faults)) {
      let searches = 0
      market.fault = (response, query) => {
        searches += 1
        return searches > 6 && (fault?.(response, query) ?? false)
      }
      const taken = await sweep.take()
      market.fault = undefined
      expect(taken.coverage.problem, name).toMatch(problem)
      expect(taken).toMatchObject({ falseLeavings: 0 })
      expect(taken.found, name).toBeGreaterThan(0.97)
      expect(taken.coverage.carried, name).toBeGreaterThan(0)
    }
  })

  it('shows own machines in each slot once it has found them', async () => {
    const sweep = openSweep(market, [1, 50, 100])
    for (let slot = 0; slot < 6; slot += 1) await sweep.take()
    for (let slot = 0; slot < 4; slot += 1) expect(await sweep.take()).toMatchObject({ ownSeen: 3 })
  })

  it('does not take one empty answer to a question for an empty market', async () => {
    const sweep = openSweep(market)
    for (let slot = 0; slot < 8; slot += 1) await sweep.take()
    market.fault = (response, query) => 'gpu_name' in query && Boolean(response.end('{"offers": []}'))
    const taken = await sweep.take()
    expect(taken).toMatchObject({ falseLeavings: 0 })
    market.fault = (response) => Boolean(response.end('{"offers": []}'))
    await expect(sweep.take()).rejects.toThrow('no offers')
  })

  it('is refused when it ignores the questions', async () => {
    const same = JSON.stringify({ offers: market.offers().slice(0, 55) })
    market.fault = (response) => Boolean(response.end(same))
    await expect(openSweep(market).take()).rejects.toThrow(
      /answers with 55 offers and ignores its filters.*sample of a market cannot be recorded as the market/,
    )
  })

  it('accepts fewer than 50 offers, repeated for every query, as the whole market', async () => {
    const list = (from: number) => JSON.stringify({ offers: market.offers().slice(from, from + 47) })
    market.fault = (response) => Boolean(response.end(list(0)))
    const taken = await openSweep(market).take()
    expect(taken.coverage).toMatchObject({ method: 'one answer', share: 1 })
    let answers = 0
    market.fault = (response) => {
      answers += 1
      return Boolean(response.end(list(answers)))
    }
    await expect(openSweep(market).take()).rejects.toThrow('ignores its filters')
  })
})

it('a search that answers with all offers is sent once', async () => {
  market.mode = 'all'
  const [slot] = await sweepSlots(market, 1)
  expect(slot).toMatchObject({ searches: 1, found: 1, machines: market.truth().size })
  expect(slot?.coverage).toMatchObject({ method: 'one answer', share: 1 })
})
