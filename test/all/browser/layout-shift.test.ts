import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasAdHoc } from '../../ad-hoc.ts'
import { hasBrowser, openWeb, shiftOf, type Web, watchShift } from '../../browser.ts'
import { legend } from '../../pages/charts.ts'
import { known, type Machine, machinesOf, phone } from '../../pages/desk.ts'

describe.skipIf(!hasBrowser)('a page of the market', () => {
  let web: Web
  let machines: Machine[]
  beforeAll(async () => {
    web = await openWeb()
    machines = await machinesOf(web)
  })
  afterAll(() => web?.close())

  it('moves nothing once it is painted', async () => {
    for (const [path, shows] of [
      ['', '.to-do li'],
      ['market', '.market table[aria-busy=false] tbody a'],
      ['machines', '.sums[aria-busy=false]'],
      ['price?gpu=H100+SXM', '.figures[aria-busy=false]'],
      [`price?machine=${known(machines).id}`, '.gains[aria-busy=false] a'],
      ['charts?gpu=RTX+4090,RTX+3090,H100+SXM', '.charts[aria-busy=false] canvas'],
      ['alerts', '.alerts form'],
      ['where', '.structure:not([aria-busy=true]) .figure-table'],
      ['build', '.two-charts canvas'],
      ['elsewhere', '.elsewhere .note'],
      ['autopilot', '.trial'],
    ] as const)
      for (const options of [{}, phone]) {
        const page = await web.visit('market', { key: web.hostKey, ...options })
        await watchShift(page)
        await page.goto(`${web.url}${path}`)
        await page.locator(shows).first().waitFor()
        await page.locator('.age time').waitFor()
        if (path.startsWith('charts'))
          await legend(page)
            .getByText(/^Your prices?$/)
            .waitFor()
        expect(await shiftOf(page), path).toBeLessThanOrEqual(0.02)
        await page.context().close()
      }
  })
})

describe.skipIf(!(hasBrowser && hasAdHoc))('the SQL console', () => {
  let web: Web
  beforeAll(async () => {
    web = await openWeb()
  })
  afterAll(() => web?.close())

  it('moves nothing once it is painted, nor do dashboards', async () => {
    const byName = 'SELECT gpu_name, sum(gpus) AS all_gpus FROM observations GROUP BY gpu_name LIMIT 8'
    const panels = ['line', 'bars', undefined].map((kind) => ({
      name: `by name: ${kind ?? 'table'}`,
      query: byName,
      ...(kind && { chart: { kind, x: 'gpu_name', y: ['all_gpus'] } }),
    }))
    const ids: number[] = []
    for (let n = 0; n < 8; n += 1) {
      const body = { name: `board ${n}`, panels }
      const made = await web.send('POST', '/api/v0/metrics/sql/dashboards', web.adminKey, body)
      ids.push((made.body as { id: number }).id)
    }
    for (const [path, shows] of [
      ['sql', 'details.table'],
      ['dashboards', '.boards'],
      [`dashboards?id=${ids[0]}`, '.board-panel:last-child table'],
      ['docs', '.content[aria-busy=false] p'],
      ['docs?operation=getGpuHistory', '.try'],
    ] as const)
      for (const options of [{}, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }]) {
        const page = await web.visit('market', { key: web.adminKey, ...options })
        await watchShift(page)
        await page.goto(`${web.url}${path}`)
        // On a phone the schema is closed.
        await page
          .locator(path === 'sql' && 'isMobile' in options ? '.editor' : shows)
          .first()
          .waitFor()
        await page.locator('.age time').waitFor()
        expect(await shiftOf(page), `${path} ${JSON.stringify(options)}`).toBeLessThanOrEqual(0.02)
        await page.context().close()
      }
    for (const id of ids) await web.send('DELETE', `/api/v0/metrics/sql/dashboards/${id}`, web.adminKey)
  })
})
