import { describe, expect, it } from 'vitest'
import { pages } from '../../contract/pages.ts'
import type { User } from '../../web/api/queries.ts'
import { countsOf, withPlaces } from '../../web/count-tasks.ts'
import { found, gpuTarget, machineTarget, pageTargets, type Target } from '../../web/jump-list.ts'

const targetsOf = (user: Partial<User>): Target[] => [
  ...pageTargets(user as User, pages.today, ''),
  machineTarget({ id: 1075, num_gpus: 6, gpu_name: 'RTX 3090', online: true }),
  machineTarget({ id: 538, num_gpus: 1, gpu_name: 'RTX 4090', online: false }),
  ...['RTX 3090', 'RTX 4090', 'H100 SXM'].map(gpuTarget),
  { group: 'Settings', title: 'Sign out', about: '', to: () => {} },
]
const titles = (text: string, user: Partial<User> = {}) =>
  found(targetsOf(user), text).map(({ title }) => title)

describe('the search of the menu', () => {
  it('shows pages and settings before anything is typed, pages of admins to admins only', () => {
    expect(titles('')).toContain('Where')
    expect(titles('').at(-1)).toBe('Sign out')
    expect(titles('')).not.toContain('SQL')
    expect(titles('', { is_admin: true })).toContain('SQL')
    expect(titles('sql')).toEqual([])
  })

  it('puts titles that begin with the words first, and finds machines by number and state', () => {
    expect(titles('rtx 30')).toEqual(['RTX 3090', '1075'])
    expect(titles('1075')).toEqual(['1075'])
    expect(titles('offline')).toEqual(['538'])
    expect(titles('4090 rtx')).toEqual(['538', 'RTX 4090'])
    expect(titles('sxm')).toEqual(['H100 SXM'])
    expect(titles('xm')).toEqual(['H100 SXM'])
    expect(titles('no such')).toEqual([])
  })
})

describe('the counts of the menu', () => {
  const rule = { stage: 'live', stop_reason: null, live_from: null } as const

  it('count what is to be done on each page', () => {
    const counts = countsOf(
      {
        advice: { changes: [{}, {}] as never, offline: 1 },
        alerts: [{ status: 'firing' }, { status: 'ok' }] as never,
        rules: [
          rule,
          { ...rule, stop_reason: 'stopped' },
          { ...rule, stage: 'dry_run', live_from: 100 },
          { ...rule, stage: 'dry_run', live_from: 101 },
        ],
      },
      100,
    )
    expect([...counts].map(([path, { words }]) => [path, words])).toEqual([
      [pages.price, '2 prices to change'],
      [pages.machines, '1 machine offline'],
      [pages.alerts, '1 alert firing'],
      [pages.autopilot, '2 decisions to make'],
    ])
    const all = withPlaces(counts)
    expect(all.get('Pricing')).toEqual({
      count: 4,
      words: '2 prices to change, 2 decisions to make',
      isBad: false,
    })
    expect(all.get(pages.price)).toBe(counts.get(pages.price))
    expect(all.has('Market')).toBe(false)
  })

  it('are none while nothing is known', () => {
    expect(countsOf({ advice: undefined, alerts: undefined, rules: undefined }, 100).size).toBe(0)
  })
})
