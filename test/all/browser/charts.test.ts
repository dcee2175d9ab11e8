import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openWeb, type Web } from '../../browser.ts'
import {
  act,
  askedWhile,
  choose,
  legend,
  newest as newestOf,
  parametersOf,
  whenDrawn,
  whenListed,
} from '../../pages/charts.ts'

describe.skipIf(!hasBrowser)('the charts page', () => {
  let web: Web
  beforeAll(async () => {
    web = await openWeb()
  })
  afterAll(() => web?.close())

  it('opens with all data when they ended before the usual range, and stays where one goes', async () => {
    const page = await web.visit('market', { key: web.hostKey })
    await whenListed(page)
    const ago = Math.floor(Date.now() / 1000) - 10 * 86_400
    await page.route('**/api/v0/metrics/gpu/names', async (route) => {
      const response = await route.fetch()
      const answer = (await response.json()) as { names: object[] }
      await route.fulfill({
        response,
        json: { ...answer, names: answer.names.map((name) => ({ ...name, last_seen: ago })) },
      })
    })
    await page.goto(`${web.url}charts?gpu=RTX+4090`)
    await expect.poll(() => parametersOf(page).range).toBe('all')
    await whenDrawn(page)
    await page.getByRole('button', { name: '7d', exact: true }).click()
    await expect.poll(() => parametersOf(page).range).toBeUndefined()
    await whenDrawn(page)
    expect(parametersOf(page).range).toBeUndefined()
  })

  it('names the time zone, switches to UTC, and writes buckets of days as dates', async () => {
    const page = await web.visitAsHost('charts?gpu=RTX+4090', { timezoneId: 'America/New_York' })
    await whenDrawn(page)
    const time = newestOf(page)
    await expect.poll(() => time.innerText()).toMatch(/^newest: \d+ \w+ 20\d\d, \d\d:\d\d UTC-[45]$/)
    await choose(page, 'Times in', 'utc')
    await expect.poll(() => time.innerText()).toMatch(/ UTC$/)
    expect(parametersOf(page).zone).toBe('utc')
    await choose(page, 'Times in', 'local')
    await askedWhile(page, () => choose(page, 'Step', '86400'))
    const { names } = (await web.get('/api/v0/metrics/gpu/names')).body as {
      names: { name: string; last_seen: number }[]
    }
    const newest = (names.find(({ name }) => name === 'RTX 4090')?.last_seen ?? 0) * 1000
    const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
    await expect.poll(() => time.innerText()).toBe(`newest: ${date.format(newest)}`)
  })

  it('marks the newest events of a GPU type in its prices, and lists them', async () => {
    const page = await web.visit('market', { key: web.hostKey })
    await page.route('**/api/v0/metrics/gpu/events?*', async (route) => {
      const asked = new URL(route.request().url()).searchParams
      expect([asked.get('gpu_name'), asked.get('verified')]).toEqual(['RTX 4090', 'no'])
      const [start, end] = [Number(asked.get('start')), Number(asked.get('end'))]
      const events = Array.from({ length: 14 }, (_, index) => ({
        at: end - 3600 * (index + 1),
        gpu_name: 'RTX 4090',
        value: 1,
        reference: 2,
        limit: 1,
        sample: 9,
        kind: index % 2 === 0 ? 'price_jump' : 'supply_drop',
      }))
      expect(end).toBeGreaterThan(start)
      await route.fulfill({ json: { success: true, needs_machine: false, events } })
    })
    await page.goto(`${web.url}charts?gpu=RTX+4090&verified=no`)
    await whenDrawn(page)
    const listed = page.getByRole('list', { name: 'Events' }).getByRole('listitem')
    await expect.poll(() => listed.count()).toBe(12)
    expect(await listed.first().innerText()).toMatch(/^price jump, \d+ \w+ 20\d\d, \d\d:\d\d UTC$/)
    await web.look(page, 'event-marks')
  })

  it('takes a number as it is typed, and asks with it', async () => {
    const page = await web.visitAsHost('charts?gpu=RTX+4090')
    const most = page.getByLabel('At most, USD/h each')
    await most.click()
    await most.pressSequentially('.50', { delay: 50 })
    await page.getByText(/^(Yes|No): [\d,]+ available now at \$0\.500 or less/).waitFor()
    expect(await most.inputValue()).toBe('.50')
    await page.keyboard.press('Enter')
    await expect.poll(() => parametersOf(page).most).toBe('0.5')
    const need = page.getByLabel('GPUs needed')
    await need.fill('8')
    await need.press('Backspace')
    await need.pressSequentially('12', { delay: 50 })
    await expect.poll(() => parametersOf(page).need).toBe('12')
    expect(await need.inputValue()).toBe('12')
  })

  it('leads from an own machine to its charts, to their top', async () => {
    const page = await web.visitAsHost('charts', { viewport: { width: 1280, height: 300 } })
    await whenDrawn(page) // its script is loaded, so it is drawn at once the next time
    await page.getByRole('link', { name: /^Machines/ }).click()
    const last = page.getByRole('link', { name: 'H100 SXM', exact: true }).last()
    await last.waitFor()
    await page.evaluate('scrollTo(0, 200)')
    expect(await page.evaluate('scrollY')).toBe(200)
    await last.click()
    await page.getByText('Price of H100 SXM', { exact: true }).waitFor()
    expect(await page.evaluate('scrollY')).toBe(0)
    await legend(page, 0)
      .getByText(/^Your prices?$/)
      .waitFor()
  })

  it('never shows the figures of another filter than the chosen one', async () => {
    const page = await web.visitAsHost('charts?gpu=RTX+4090')
    await page.locator('.cards[aria-busy=false]').waitFor()
    const isOfCards = (url: URL) => url.searchParams.get('step') === '3600'
    await page.route(isOfCards, (route) => route.fulfill({ status: 400, json: { msg: 'Not now' } }))
    await choose(page, 'Machines', 'no')
    await page.getByRole('alert').getByText('Not now.').waitFor()
    await expect.poll(() => page.locator('.cards').getAttribute('aria-busy')).toBe('true')
    await page.unroute(isOfCards)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.cards[aria-busy=false]').waitFor()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  })

  it('takes the hour that a change of the clocks leaves out for what it is', async () => {
    const page = await web.visitAsHost('charts?gpu=RTX+4090', { timezoneId: 'America/New_York' })
    await whenDrawn(page)
    await page.getByText('Custom').click()
    await page.getByLabel('From', { exact: true }).fill('2026-03-08T01:30')
    await page.getByLabel('To', { exact: true }).fill('2026-03-08T03:30')
    await page.getByRole('button', { name: 'Show' }).click()
    await expect.poll(() => parametersOf(page)).toMatchObject({ from: '1772951400', to: '1772955000' })
  })

  it('draws a single snapshot', async () => {
    const now = Math.floor(Date.now() / 3_600_000) * 3600
    const page = await web.visitAsHost(
      `charts?gpu=RTX+4090&range=custom&from=${now - 5400}&to=${now - 3000}&step=3600`,
    )
    await whenDrawn(page)
    await act(page, 'Table')
    await expect.poll(() => page.getByRole('table').locator('tbody tr').count()).toBeLessThanOrEqual(2)
    await expect.poll(() => legend(page, 0).innerText()).toContain('$')
  })
})
