import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { daysLeftFrom } from '../../contract/fill-by-terms.ts'
import type { IncomeByTermsAnswer, TermAdviceAnswer } from '../../contract/income-by-terms.ts'
import { termsText } from '../../contract/terms-text.ts'
import { publishDays } from '../../ingest/publish-days.ts'
import { groupBy } from '../../platform/group-by.ts'
import { createKey } from '../../platform/security/api-keys.ts'
import { seeded } from '../../simulate/random.ts'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { addSeen, day } from '../daily-market.ts'
import type { MachineAtSlot } from '../oracle/history.ts'
import { startServer, type TestServer } from '../server.ts'

const start = 1_699_920_000
const days = 33
const to = start + days * day
const price = 0.5

/**
 * Machines with 4 GPUs: 90 RTX 4090 and 30 H200. Half of them rent out whole rigs only, and are rented less. A few know no terms, and three H200 have parts
 * of 2.
 */
function market(): MachineAtSlot[] {
  const random = seeded(7)
  const seen: MachineAtSlot[] = []
  for (let machine = 1; machine <= 120; machine += 1) {
    const least = machine > 117 ? 2 : machine % 2 ? 1 : 4
    const end = start + (machine % 3 ? 50 : 20) * day
    for (let index = 0; index < days; index += 1)
      for (const hour of [3, 15]) {
        const free = random() < (least === 1 ? 0.2 : 0.5) ? 4 : 0
        seen.push({
          ...(machine > 90 ? { gpu: 'H200', ram: 141 * 1024 } : { gpu: 'RTX 4090', ram: 24 * 1024 }),
          slot: start + index * day + hour * 3600,
          machine,
          rig: 4,
          price,
          host: machine % 30,
          verified: machine % 5 > 0,
          hosting: 'community',
          free,
          rented: free > 0 ? [] : [{ gpus: 4, price }],
          tflops: 10,
          dlperf: 10,
          // As in an answer that has terms of available machines only.
          least: free > 0 ? least : null,
          terms: machine % 10 ? termsText({ end_date: end, min_bid: free > 0 ? price * 0.6 : null }) : '',
        })
      }
  }
  return seen
}

const seen = market()
/** One of parts, two of whole rigs of which the second knows no terms but its parts, one of a class with few machines, and one that was never seen. */
const ownMachines = [
  [1, 'RTX 4090'],
  [2, 'RTX 4090'],
  [10, 'RTX 4090'],
  [119, 'H200'],
  [500, 'L4'],
] as const
let host: string
let server: TestServer
beforeAll(async () => {
  server = await startServer({ seriesMaxAgeMs: 0 })
  const { postgres } = server
  await postgres.query(`INSERT INTO accounts (id, name, is_host) VALUES (1001, 'host', true)`)
  for (const [id, name] of ownMachines)
    await postgres.query(
      `INSERT INTO machines (id, account_id, gpu_name, num_gpus, gpu_ram, disk_space) VALUES ($1, 1001, $2, 4, 1000, 1)`,
      [id, name],
    )
  host = (await createKey(postgres, { accountId: 1001 })).key
  await addSeen(server, seen)
  await publishDays(server)
})
afterAll(() => server?.close())

const path = '/api/v0/metrics/gpu/income-by-terms'
const ask = async (query: string, key?: string) =>
  (await server.get(`${path}?${query}`, key)).body as IncomeByTermsAnswer

/** The group of a machine on a day, from the newest slot of the day or an earlier day that knows the term; null: not known. */
const levels: Record<string, (of: readonly MachineAtSlot[], end: number) => number | null> = {
  num_gpus: (of) => of.at(-1)?.rig ?? null,
  min_gpus: (of) => of.findLast(({ least }) => least != null)?.least ?? null,
  days_left: (of, end) => {
    const known = termOf(of, 1)
    if (known === null) return null
    const left = Math.trunc((known - end) / day)
    return (
      daysLeftFrom[
        Math.max(
          0,
          daysLeftFrom.findLastIndex((from) => from <= left),
        )
      ] ?? 0
    )
  },
  min_bid: (of) => (termOf(of, 0) === null ? null : 0.5),
}

function termOf(of: readonly MachineAtSlot[], place: number): number | null {
  const known = of.map(({ terms }) => (JSON.parse(terms || '[]') as (number | null)[])[place] ?? null)
  return known.findLast((value) => value !== null) ?? null
}

/** The income of each group by a term, from the observations. */
function incomesBy(term: string, isChosen: (one: MachineAtSlot) => boolean) {
  const rows = [
    ...groupBy(
      seen.filter((one) => one.gpu === 'RTX 4090' && isChosen(one)),
      ({ machine }) => machine,
    ).values(),
  ].flatMap((of) =>
    Array.from({ length: 30 }, (_, index) => {
      const from = to - (30 - index) * day
      const before = of.filter(({ slot }) => slot >= to - 30 * day && slot < from + day)
      const own = before.filter(({ slot }) => slot >= from)
      // The last slot of a day has its terms.
      const last = before.filter(({ slot }) => slot % day === 15 * 3600)
      return {
        machine: own[0]?.machine,
        level: levels[term]?.(last, from + day) ?? null,
        paid: own.reduce(
          (sum, { rented }) => sum + rented.reduce((all, one) => all + one.gpus * one.price, 0),
          0,
        ),
        gpus: own.reduce((sum, { free, rented }) => sum + free + (rented[0]?.gpus ?? 0), 0),
      }
    }),
  )
  const known = rows.filter(({ level }) => level !== null)
  const groups = [...groupBy(known, ({ level }) => level)].map(([from, of]) => ({
    from,
    machines: new Set(of.map(({ machine }) => machine)).size,
    income: (24 * of.reduce((sum, { paid }) => sum + paid, 0)) / of.reduce((sum, { gpus }) => sum + gpus, 0),
  }))
  return groups.toSorted((one, other) => Number(one.from) - Number(other.from))
}

describe('incomes by terms', () => {
  it.each([
    ['of all machines', 'verified=all', () => true],
    ['of verified machines', 'verified=yes', ({ verified }: MachineAtSlot) => verified],
  ] as const)('follow from the observations, %s', async (_, query, isChosen) => {
    const { terms, ...answer } = await ask(`gpu_name=rtx 4090&${query}`)
    expect(answer).toEqual({ success: true, needs_machine: false, to, days: 30, reason: null })
    expect(terms.map(({ term, num_gpus, gpu_memory }) => [term, num_gpus, gpu_memory])).toEqual([
      ['num_gpus', null, 24],
      ['min_gpus', 4, 24],
      ['days_left', 4, 24],
      ['min_bid', 4, 24],
    ])
    for (const { term, groups } of terms) {
      const expected = incomesBy(term, isChosen).filter(({ machines }) => machines >= 5)
      expect(
        groups.map(({ from }) => from),
        term,
      ).toEqual(expected.map(({ from }) => from))
      for (const [index, { machines, income }] of groups.entries()) {
        expect(machines, term).toBe(expected[index]?.machines)
        expect(income.value, term).toBeCloseTo(expected[index]?.income ?? Number.NaN, 6)
      }
    }
  })

  it('hide groups of few machines, and one more group that the total would show them by', async () => {
    const { terms } = await ask('gpu_name=H200&verified=all')
    const parts = terms.find(({ term }) => term === 'min_gpus')
    // 14 machines have parts of 1, 13 are whole rigs, and 3 have parts of 2.
    expect(parts).toMatchObject({ left_out: true, groups: [{ from: 1, reason: 'one_group' }] })
    expect(terms.find(({ term }) => term === 'days_left')?.left_out).toBe(false)
  })

  it('have the interval of the difference, and advise parts of 1 to whole rigs', async () => {
    const { terms } = await ask('gpu_name=RTX 4090&verified=all')
    const [parts, whole] = terms.find(({ term }) => term === 'min_gpus')?.groups ?? []
    expect(parts).toMatchObject({ from: 1, better: null, reason: 'none_better' })
    expect(whole).toMatchObject({ from: 4, better: { from: 1, to: null }, reason: null })
    // They are rented 30 % more of the time, at 24 × 0.50 USD a day.
    const { value = 0, low, high } = whole?.better?.more ?? {}
    expect(value).toBeCloseTo(3.6, 0)
    expect(low).toBeGreaterThan(3)
    expect(high).toBeLessThan(4.2)
    expect(terms.find(({ term }) => term === 'min_bid')?.groups).toMatchObject([
      { from: 0.5, to: 0.75, better: null, reason: 'one_group' },
    ])
  })

  it('advise each own machine, and add up the mix', async () => {
    const { body } = await server.get('/api/v0/metrics/machines/term-advice', host)
    const { advice, sums } = body as TermAdviceAnswer
    const of = (id: number, term: string) => advice.find((one) => one.machine_id === id && one.term === term)
    const { terms } = await ask('gpu_name=RTX 4090&verified=all')
    const better = terms.find(({ term }) => term === 'min_gpus')?.groups[1]?.better?.more
    expect(advice).toHaveLength(3 * ownMachines.length)
    expect(of(1, 'min_gpus')).toMatchObject({ now: { from: 1 }, better: null, reason: 'none_better' })
    const four = (figure: number | null = null) => expect.closeTo(4 * (figure ?? Number.NaN), 9)
    for (const id of [2, 10])
      expect(of(id, 'min_gpus')).toMatchObject({
        now: { from: 4, to: null },
        better: { from: 1, to: null },
        more_per_day: { value: four(better?.value), low: four(better?.low), high: four(better?.high) },
        reason: null,
      })
    expect(of(2, 'min_bid')).toMatchObject({ now: { from: 0.5, to: 0.75 }, reason: 'one_group' })
    expect(of(10, 'days_left')).toMatchObject({ now: null, better: null, reason: 'not_known' })
    expect(of(119, 'min_gpus')).toMatchObject({ now: null, better: null, reason: 'few_machines' })
    expect(of(500, 'min_gpus')).toMatchObject({ now: null, more_per_day: null, reason: 'not_known' })
    // Both machines are of one class, so their errors are added up.
    expect(sums[0]).toMatchObject({
      term: 'min_gpus',
      machines: 2,
      more_per_day: {
        value: expect.closeTo(8 * (better?.value ?? 0), 9),
        low: expect.closeTo(8 * (better?.low ?? 0), 9),
      },
    })
    expect(sums[2]).toMatchObject({ term: 'min_bid', machines: 0, more_per_day: null })
  })

  it('refuse what is wrong, and have reasons', async () => {
    for (const query of [
      '',
      'gpu_name=all',
      'gpu_name=A,B',
      'gpu_name=L4&verified=maybe',
      'gpu_name=L4&num_gpus=x',
    ])
      expect((await server.get(`${path}?${query}`)).status, query).toBe(400)
    expect(await ask('gpu_name=L4')).toMatchObject({ terms: [], reason: null })
    const { key } = await createKeyFor(server.postgres, { role: 'host' })
    expect(await ask('gpu_name=L4', key)).toMatchObject({ needs_machine: true, terms: [] })
    const { body } = await server.get('/api/v0/metrics/machines/term-advice', key)
    expect(body as TermAdviceAnswer).toMatchObject({ advice: [], left_out: 0, to, days: 30 })
  })
})
