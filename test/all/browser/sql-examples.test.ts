import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { selectRows } from '../../../platform/stores/clickhouse.ts'
import { examples } from '../../../web/sql/panels/examples.ts'
import { hasAdHoc } from '../../ad-hoc.ts'
import { hasBrowser, openWeb, type Web } from '../../browser.ts'

describe.skipIf(!(hasBrowser && hasAdHoc))('the example “Share of time under a price”', () => {
  let web: Web
  beforeAll(async () => {
    web = await openWeb()
  })
  afterAll(() => web?.close())

  it('counts all snapshots, with offers or without', async () => {
    const { query = '' } = examples.find(({ title }) => title === 'Share of time under a price') ?? {}
    const { body } = await web.send('POST', '/api/v0/metrics/sql', web.adminKey, {
      query,
      params: { usd: '1000' },
    })
    const shares = (body as { data: { gpu_name: string; share_of_time: number }[] }).data
    const offered = await selectRows<{ gpu_name: string; slots: number }>(
      web.clickhouse,
      'SELECT gpu_name, uniqExact(slot) AS slots FROM observations WHERE NOT rented AND slot > now() - INTERVAL 7 DAY GROUP BY gpu_name',
    )
    const week = await selectRows<{ slots: number }>(
      web.clickhouse,
      'SELECT uniqExact(slot) AS slots FROM slots WHERE ready AND slot > now() - INTERVAL 7 DAY',
    )
    const all = week[0]?.slots ?? 0
    const expected = offered.map(({ gpu_name, slots }) => [gpu_name, Math.round((slots / all) * 1e4) / 1e4])
    expect(Object.fromEntries(shares.map((row) => [row.gpu_name, row.share_of_time]))).toEqual(
      Object.fromEntries(expected),
    )
    expect(Math.min(...offered.map(({ slots }) => slots))).toBeLessThan(all)
  })
})
