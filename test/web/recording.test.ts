import { expect, it } from 'vitest'
import type { MarketRecording, QueueState, RecordingAnswer } from '../../contract/recording.ts'
import { findingsOf } from '../../web/today/recording/findings.ts'
import { headlineOf } from '../../web/today/recording/headline.ts'
import { daysOf } from '../../web/today/recording/strip.tsx'

const at = 1_795_000_200
const week = 7 * 86_400

const whole = {
  from: at - week,
  to: at,
  interval: 300,
  expected: 2016,
  recorded: 2016,
  hours: [],
  gaps: [],
  further_gaps: 0,
}

const market = (name: string | null, changed: Partial<MarketRecording> = {}): MarketRecording => ({
  name,
  is_collected: true,
  away: [],
  series: { newest_slot: at - 300, is_simulated: false, is_empty: false, filling: null },
  recorded: whole,
  pipeline: {
    waiting_snapshots: 0,
    pending_rollups: 0,
    filled_since: 0,
    damages: [],
    source: { failures: 0, problem: null, notice: null },
  },
  checked: { days: 7, checked: 7, in_part: 0, with_problems: 0, oldest: at - 3600 },
  disk: { room: 50e9, reserve: 1e9, problem: null },
  backup: { newest: { name: 'evening', at: at - 3600, bytes: 1e9 } },
  ...changed,
})

const queue = (changed: Partial<QueueState> = {}): QueueState => ({
  name: 'load',
  market: null,
  active: 0,
  waiting: 0,
  failed: 0,
  failed_at: null,
  reason: null,
  done_at: at - 20,
  ...changed,
})

const answer = (...markets: MarketRecording[]): RecordingAnswer => ({
  success: true,
  at,
  markets,
  queues: [queue()],
  queue_store: 'Redis',
})

const headline = (given: RecordingAnswer) => headlineOf(given, findingsOf(given))
const needed = (given: RecordingAnswer) =>
  findingsOf(given).filter(({ tone }) => tone === 'bad' || tone === 'warn')

it('the headline counts one market and many in right grammar', () => {
  expect(headline(answer(market(null)))).toBe('The market was recorded whole in the last 7 days')
  expect(headline(answer(market('a'), market('b')))).toBe(
    'Both markets were recorded whole in the last 7 days',
  )
  expect(headline(answer(market('a'), market('b'), market('c')))).toBe(
    'All 3 markets were recorded whole in the last 7 days',
  )
})

it('a missing snapshot is never rounded away', () => {
  const recorded = market(null).recorded
  if (!recorded) throw new Error('no record')
  const lacking = market(null, { recorded: { ...recorded, recorded: 2015 } })
  expect(headline(answer(lacking))).toBe('The market was recorded to 99.9\u00a0% in the last 7 days')
})

it('a market without machines has no headline', () => {
  const series = { newest_slot: at - 300, is_simulated: false, is_empty: true, filling: null }
  expect(headline(answer(market(null, { series })))).toBe(null)
})

it.each<[string, Partial<MarketRecording>, string, string | undefined]>([
  [
    'an old snapshot',
    { series: { newest_slot: at - 4000, is_simulated: false, is_empty: false, filling: null } },
    'No snapshot since',
    'rackrate worker',
  ],
  ['no backup', { backup: { newest: null } }, 'No backup yet', 'rackrate backup 2026-11-18'],
  [
    'an old backup',
    { backup: { newest: { name: 'x', at: at - 4 * 86_400, bytes: 1 } } },
    'The last backup is 4 d old',
    'rackrate backup 2026-11-18',
  ],
  [
    'a full disk',
    { disk: { room: 0, reserve: 1e9, problem: 'It is full.' } },
    'The disk is nearly full',
    undefined,
  ],
  [
    'wrong figures',
    { checked: { days: 7, checked: 6, in_part: 0, with_problems: 1, oldest: null } },
    'The check found 1 day with wrong figures',
    'rackrate check --for 10m',
  ],
  [
    'a lost snapshot',
    {
      recorded: {
        ...whole,
        recorded: 2015,
        gaps: [
          { from: at - 900, to: at - 600, slots: 1, cause: 'lost', fix: 'rackrate reconcile --accept-loss' },
        ],
      },
    },
    '1 snapshot is in neither store',
    'rackrate reconcile --accept-loss',
  ],
  [
    'an engine away',
    { away: ['clickhouse'], series: null, recorded: null, checked: null, disk: null },
    'ClickHouse does not answer',
    undefined,
  ],
])('%s is one thing to do, with the step that mends it', (_name, changed, title, command) => {
  const given = answer(market(null, changed))
  const [first, ...others] = needed(given)
  expect(others).toEqual([])
  expect(first?.title).toContain(title)
  expect(first?.command).toBe(command)
  expect(headline(given)).toBe('1 thing needs you')
})

it('a simulated market needs no backup', () => {
  const series = { newest_slot: at - 300, is_simulated: true, is_empty: false, filling: null }
  expect(needed(answer(market(null, { series, backup: { newest: null } })))).toEqual([])
})

it('failing jobs and silent workers are named, and jobs that work again are not', () => {
  const failing = queue({ failed: 2, failed_at: at - 10, done_at: at - 50, reason: 'no room' })
  expect(needed({ ...answer(market(null)), queues: [failing] }).map(({ title }) => title)).toEqual([
    'Jobs of the queue load fail',
  ])
  const again = queue({ failed: 2, failed_at: at - 50, done_at: at - 10 })
  expect(needed({ ...answer(market(null)), queues: [again] })).toEqual([])
  expect(needed({ ...answer(market(null)), queues: [queue({ done_at: at - 900 })] })[0]?.title).toBe(
    'No worker runs',
  )
  const other = queue({ market: 'asia', done_at: at - 900 })
  expect(needed({ ...answer(market(null)), queues: [queue({}), other] }).map(({ title }) => title)).toEqual([
    'No worker of asia runs',
  ])
  expect(needed({ ...answer(market(null)), queues: null })[0]?.title).toBe(
    'Redis does not answer for the queues',
  )
})

it('the strip has runs of hours of one state, and the time before the first snapshot', () => {
  const end = Math.floor(at / 3600) * 3600
  const hours = [4, 3, 2, 1].map((ago) => ({
    hour: end - ago * 3600,
    expected: 12,
    recorded: { 4: 12, 3: 12, 2: 5, 1: 0 }[ago] ?? 0,
  }))
  const runs = daysOf({ hours }, at).flat()
  expect(runs.filter(({ state }) => state !== 'before').map(({ state, hours }) => [state, hours])).toEqual([
    ['whole', 2],
    ['part', 1],
    ['none', 1],
  ])
  expect(runs.reduce((sum, run) => sum + run.hours, 0)).toBe(168)
})
