import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openSharedWeb, type Web } from '../browser.ts'
import { choose, plots, whenDrawn } from '../pages/charts.ts'

describe.skipIf(!hasBrowser)('a page whose service is away', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())

  it('reports it, keeps its data, and recovers', async () => {
    const page = await web.visitAsHost('charts?gpu=RTX+4090')
    await whenDrawn(page)
    // Parts that open later are loaded at the first action.
    const parts = page.waitForResponse(/parts-/)
    await page.mouse.move(9, 9)
    await parts
    await page.context().setOffline(true)
    await choose(page, 'Machines', 'all')
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor()
    await expect.poll(() => plots(page).count()).toBe(4)
    await web.look(page, 'away')
    await page.context().setOffline(false)
    // The page recovers by itself, without a click on “Try again”.
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    await page.locator('.charts[aria-busy=false]').waitFor()
  })

  it('comes back when the service does, while the network is there', async () => {
    const page = await web.visitAsHost('charts?gpu=RTX+4090')
    await whenDrawn(page)
    let refused = 0
    await page.route('**/api/v0/metrics/**', (route) => {
      refused += 1
      return route.abort()
    })
    await choose(page, 'Machines', 'all')
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor()
    // It goes on asking.
    const before = refused
    await expect.poll(() => refused).toBeGreaterThan(before)
    await page.unroute('**/api/v0/metrics/**')
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    await page.locator('.charts[aria-busy=false]').waitFor()
  })

  const places = [
    ['today', ''],
    ['market', 'market'],
    ['where', 'where'],
    ['what to buy', 'build'],
    ['charts', 'charts?gpu=RTX+4090'],
    ['clouds', 'elsewhere'],
    ['machines', 'machines'],
    ['pricing', 'price'],
    ['autopilot', 'autopilot'],
    ['alerts', 'alerts'],
  ] as const
  const isAccount = (url: URL) => url.pathname.endsWith('/users/current')
  const isFigure = (url: URL) => url.pathname.includes('/api/v0/') && !isAccount(url)

  it.each(places)('reports an answer 503 once, before any retry: %s', async (_name, path) => {
    const page = await web.visitAsHost('docs')
    const attempts = new Map<string, number>()
    await page.route(isFigure, (route) => {
      const url = route.request().url()
      attempts.set(url, (attempts.get(url) ?? 0) + 1)
      // A second attempt at the same question gets no answer.
      return attempts.get(url) === 1 ? route.fulfill({ status: 503, body: 'away' }) : undefined
    })
    await page.goto(`${web.url}${path}`)
    const alert = page.getByRole('alert')
    await alert.getByText('The service answered 503. The page keeps trying.').waitFor()
    await expect.poll(() => alert.getByRole('button', { name: 'Try again' }).count()).toBe(1)
    await page.unroute(isFigure)
  })

  it('reports an answer 503 about the account, and opens the page after it', async () => {
    const page = await web.visitAsHost('docs')
    await page.route(isAccount, (route) => route.fulfill({ status: 503, body: 'away' }))
    await page.goto(`${web.url}market`)
    await page.getByRole('heading', { name: 'No answer' }).waitFor()
    await page.unroute(isAccount)
    await page.locator('.market table[aria-busy=false]').waitFor()
  })
})
