import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hour } from '../../contract/durations.ts'
import { hasBrowser, openSharedWeb, type Web } from '../browser.ts'
import { moveDate } from '../move-date.mjs'
import { choose, plots, whenDrawn } from '../pages/charts.ts'

const weekdayFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})

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

  it('waits as long as the service asks, and reports it', async () => {
    const page = await web.visitAsHost('docs')
    await page.clock.install()
    let asked = 0
    const seconds = '200'
    await page.route(isFigure, (route) => {
      asked += 1
      return route.fulfill({ status: 503, headers: { 'retry-after': seconds }, body: 'away' })
    })
    await page.goto(`${web.url}market`)
    const alert = page.getByRole('alert')
    const words = 'The service answered 503. The service asks to wait 3 min. The page keeps trying.'
    await alert.getByText(words).waitFor()
    await page.waitForLoadState('networkidle')
    const before = asked
    await page.clock.fastForward(100_000)
    expect(asked).toBe(before)
    await page.clock.fastForward(110_000)
    await expect.poll(() => asked).toBeGreaterThan(before)
    await page.unroute(isFigure)
  })

  it.each([
    [-3, 'hours behind'],
    [5, 'hours ahead'],
    [9 * 24, 'hours ahead'],
  ])('counts ages and ranges by the clock of the service: %d %s', async (hours) => {
    const page = await web.visitAsHost('docs')
    await page.addInitScript(moveDate, hours * hour)
    await page.goto(web.url)
    await page
      .locator('.age time')
      .getByText(/(just now|\d min old)$/)
      .waitFor()
    const today = () => weekdayFormat.format(Date.now()).replace(',', '')
    await expect.poll(() => page.locator('.head .quiet').textContent()).toBe(today())
    await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
    // The first question of all may be asked before an answer has the time of the service.
    const starts: number[] = []
    page.on('request', (request) => {
      const start = new URL(request.url()).searchParams.get('start')
      if (start !== null) starts.push(Number(start))
    })
    await page.goto(`${web.url}charts?gpu=RTX+4090`)
    await whenDrawn(page)
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    const week = Date.now() / 1000 - 7 * 24 * hour
    await expect.poll(() => starts.some((start) => Math.abs(start - week) < 300)).toBe(true)
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
