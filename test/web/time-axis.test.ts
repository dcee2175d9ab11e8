import { afterEach, describe, expect, it } from 'vitest'
import { inOwnZone, inUtc, type OffsetAt, timeLabels, timeTicks } from '../../web/charts/time-axis.ts'

const { TZ } = process.env
afterEach(() => {
  if (TZ === undefined) delete process.env.TZ
  else process.env.TZ = TZ
})

/** Time zones with the moments right after their two clock changes in 2026. */
const zones: [zone: string, changes: string[]][] = [
  ['Europe/Berlin', ['2026-03-29T01:00Z', '2026-10-25T01:00Z']],
  ['Europe/London', ['2026-03-29T01:00Z', '2026-10-25T01:00Z']],
  ['America/New_York', ['2026-03-08T07:00Z', '2026-11-01T06:00Z']],
  ['America/Los_Angeles', ['2026-03-08T10:00Z', '2026-11-01T09:00Z']],
  ['America/St_Johns', ['2026-03-08T05:30Z', '2026-11-01T04:30Z']],
  ['America/Santiago', ['2026-04-05T03:00Z', '2026-09-06T04:00Z']],
  ['America/Havana', ['2026-03-08T05:00Z', '2026-11-01T05:00Z']],
  ['Australia/Sydney', ['2026-04-04T16:00Z', '2026-10-03T16:00Z']],
  ['Australia/Lord_Howe', ['2026-04-04T15:00Z', '2026-10-03T15:30Z']],
  ['Pacific/Auckland', ['2026-04-04T14:00Z', '2026-09-26T14:00Z']],
  ['Asia/Beirut', ['2026-03-28T22:00Z', '2026-10-24T21:00Z']],
]
const cases = zones.flatMap(([zone, changes]) => changes.map((change) => [zone, change] as const))
const apart = { seconds: 15, minutes: 900, hour: 3600, hours: 21_600, day: 86_400, month: 30 * 86_400 }
type Apart = keyof typeof apart

/** The wall clock of a zone as Intl has it: 2026-03-29 01:00:00. */
const wallOf = (tick: number, timeZone: string) => walls.get(timeZone)?.format(tick * 1000) ?? ''
const walls = new Map(
  ['UTC', ...zones.map(([zone]) => zone)].map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
  ]),
)

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
/** The first line of a label by its definition. */
function expectedText(tick: number, timeZone: string, distance: Apart): string {
  const [, month = '', date = '', time = ''] = /-(\d\d)-(\d\d) (.*)$/.exec(wallOf(tick, timeZone)) ?? []
  const name = months[Number(month) - 1] ?? ''
  if (distance === 'month') return name
  return distance === 'day' ? `${Number(date)} ${name}` : time.slice(0, distance === 'seconds' ? 8 : 5)
}

const ranges: Record<Apart, number> = {
  seconds: 120,
  minutes: 2 * 3600,
  hour: 12 * 3600,
  hours: 3 * 86_400,
  day: 10 * 86_400,
  month: 200 * 86_400,
}
const rangeAround = (change: string, distance: Apart) => {
  const at = Date.parse(change) / 1000
  return [at - ranges[distance], at + ranges[distance]] as const
}
const draw = (change: string, distance: Apart, offsetAt: OffsetAt) => {
  const ticks = timeTicks(...rangeAround(change, distance), apart[distance], offsetAt, 0)
  return { ticks, labels: timeLabels(ticks, apart[distance], offsetAt, 0) }
}

describe.each(Object.keys(apart) as Apart[])('an axis with a tick each %s', (distance) => {
  it.each(cases)('is the same in UTC whatever the clock of the browser does: %s, %s', (zone, change) => {
    process.env.TZ = 'UTC'
    const expected = draw(change, distance, inUtc)
    process.env.TZ = zone
    const drawn = draw(change, distance, inUtc)
    expect(drawn).toEqual(expected)
    expect(drawn.ticks.length).toBeGreaterThan(3)
    for (const [n, tick] of drawn.ticks.entries()) {
      expect(drawn.labels[n]?.split('\n')[0]).toBe(expectedText(tick, 'UTC', distance))
      if (distance !== 'month') expect(tick % apart[distance]).toBe(0)
    }
  })

  it.each(cases)('has the times of the own wall clock: %s, %s', (zone, change) => {
    process.env.TZ = zone
    const { ticks, labels } = draw(change, distance, inOwnZone)
    expect(ticks.length).toBeGreaterThan(3)
    expect(ticks).toEqual([...new Set(ticks)].sort((a, b) => a - b))
    expect(labels.map((label) => label.split('\n')[0])).toEqual(
      ticks.map((tick) => expectedText(tick, zone, distance)),
    )
    for (const tick of ticks) {
      const [, time = ''] = wallOf(tick, zone).split(' ')
      const seconds = time.split(':').reduce((sum, part) => 60 * sum + Number(part), 0)
      // A day may begin at 01:00, because the clock was put forward at midnight.
      if (apart[distance] < 86_400) expect(seconds % apart[distance]).toBe(0)
      else expect([0, 3600]).toContain(seconds)
    }
  })
})

it('an hour that comes twice has two ticks, and an hour that is left out has none', () => {
  process.env.TZ = 'Europe/Berlin'
  const hours = (from: string, to: string) => {
    const ticks = timeTicks(Date.parse(from) / 1000, Date.parse(to) / 1000, 3600, inOwnZone, 0)
    return timeLabels(ticks, 3600, inOwnZone, 0)
  }
  expect(hours('2026-10-24T23:00Z', '2026-10-25T02:00Z')).toEqual([
    '01:00\n25 Oct',
    '02:00',
    '02:00',
    '03:00',
  ])
  expect(hours('2026-03-28T23:00Z', '2026-03-29T02:00Z')).toEqual([
    '00:00\n29 Mar',
    '01:00',
    '03:00',
    '04:00',
  ])
})

it('ticks of years are multiples of their distance, and months show the year where it changes', () => {
  const at = (text: string) => Date.parse(text) / 1000
  const years = timeTicks(at('2019-05-01'), at('2031-05-01'), 5 * 365 * 86_400, inUtc, 0)
  expect(timeLabels(years, 5 * 365 * 86_400, inUtc, 0)).toEqual(['2020', '2025', '2030'])
  const quarters = timeTicks(at('2025-06-15'), at('2026-05-15'), 3 * 30 * 86_400, inUtc, 0)
  expect(timeLabels(quarters, 3 * 30 * 86_400, inUtc, 0)).toEqual(['Jul\n2025', 'Oct', 'Jan\n2026', 'Apr'])
})

it('labels of an axis within the present year have no year', () => {
  const now = Date.UTC(2026, 10, 28) / 1000
  const days = [27, 28].map((date) => Date.UTC(2026, 10, date) / 1000)
  expect(timeLabels(days, 86_400, inUtc, now)).toEqual(['27 Nov', '28 Nov'])
  expect(timeLabels(days, 86_400, inUtc, now + 365 * 86_400)).toEqual(['27 Nov\n2026', '28 Nov'])
  const turn = [Date.UTC(2025, 11, 31), Date.UTC(2026, 0, 1)].map((ms) => ms / 1000)
  expect(timeLabels(turn, 86_400, inUtc, now)).toEqual(['31 Dec\n2025', '1 Jan\n2026'])
  const hours = [Date.UTC(2026, 10, 28), Date.UTC(2026, 10, 28, 6)].map((ms) => ms / 1000)
  expect(timeLabels(hours, 21_600, inUtc, now)).toEqual(['00:00\n28 Nov', '06:00'])
})
