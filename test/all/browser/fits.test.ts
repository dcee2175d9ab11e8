import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openWeb, violationsOf, type Web } from '../../browser.ts'
import { legend, more, newest, whenDrawn } from '../../pages/charts.ts'
import { known, type Machine, machinesOf, phone, whenFleetListed, whenPriced } from '../../pages/desk.ts'

describe.skipIf(!hasBrowser)('a page of the market', () => {
  let web: Web
  beforeAll(async () => {
    web = await openWeb()
  })
  afterAll(() => web?.close())

  it.each([390, 800, 1024, 1440])('shows its age in full beside long names, %d wide', async (width) => {
    const long = 'Nebula Accelerator 9000 Ultra Max Super Extra Long Edition 192GB'
    const rename = (to: string, from: string) =>
      web.postgres.query('UPDATE accounts SET name = $1 WHERE name = $2', [to, from])
    const { body } = await web.get('/api/v0/users/current', web.hostKey)
    const { username } = body as { username: string }
    await rename(long, username)
    try {
      const page = await web.visitAsHost(`charts?gpu=${encodeURIComponent(long)}`, {
        viewport: { width, height: 900 },
      })
      await page.locator('.age time').waitFor()
      await page.getByText(long).first().waitFor({ state: 'attached' })
      const cut = () =>
        page.evaluate<number>(`Math.max(...[...document.querySelectorAll('.age time')].map((time) => {
        const parts = [time, time.parentElement, time.closest('.account')]
        const right = Math.min(...parts.slice(1).map((part) => part.getBoundingClientRect().right), innerWidth)
        return Math.max(time.getBoundingClientRect().right - right, time.scrollWidth - time.clientWidth)
      }))`)
      await expect.poll(cut).toBeLessThanOrEqual(0.5)
      await web.look(page, `header-${width}`)
      await page.context().close()
    } finally {
      await rename(username, long)
    }
  })

  it.each([
    ['dark', { colorScheme: 'dark' }],
    ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
    ['phone-dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark', isMobile: true }],
    ['wide', { viewport: { width: 2200, height: 1200 }, reducedMotion: 'reduce' }],
  ] as const)('fits the screen: %s', async (name, options) => {
    for (const [path, what] of [
      ['', 'market'],
      ['charts?gpu=RTX+4090,RTX+3090', 'charts'],
    ] as const) {
      const page = await web.visitAsHost(path, options)
      await page
        .locator(what === 'charts' ? '.charts[aria-busy=false] canvas' : 'table[aria-busy=false] tbody tr')
        .first()
        .waitFor()
      await web.look(page, `${what}-${name}`)
      expect(await violationsOf(page)).toEqual([])
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      await page.context().close()
    }
  })

  it.each([800, 1280, 1440, 1920])('cuts no name or figure of the market, %d wide', async (width) => {
    const page = await web.visitAsHost('market', { viewport: { width, height: 900 } })
    await page.locator('.market table[aria-busy=false] tbody .change').first().waitFor()
    const cut = () =>
      page.evaluate<string[]>(`[...document.querySelectorAll('.market tbody > tr > *')]
        .filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)`)
    await expect.poll(cut).toEqual([])
    await page.context().close()
  })

  it('opens its menus over the charts on a phone', async () => {
    const page = await web.visitAsHost('charts?gpu=RTX+4090', { viewport: { width: 390, height: 844 } })
    await whenDrawn(page)
    await more(page).click()
    const box = await page.locator('.panel').boundingBox()
    if (!box) throw new Error('the menu has no place')
    await web.look(page, 'menu-phone')
    for (const part of [0.1, 0.5, 0.9]) {
      const point = `${box.x + box.width / 2}, ${box.y + box.height * part}`
      await expect
        .poll(() => page.evaluate(`!!document.elementFromPoint(${point})?.closest('.panel')`))
        .toBe(true)
    }
  })

  it.each([
    ['an Arabic browser', { locale: 'ar-EG', timezoneId: 'Asia/Riyadh' }, 'UTC+3'],
    ['India', { timezoneId: 'Asia/Kolkata' }, 'UTC+5:30'],
  ])('shows the same in %s, but its time zone', async (_where, options, zone) => {
    const page = await web.visitAsHost('charts?gpu=RTX+4090', options)
    await whenDrawn(page)
    // Changes texts as a translation program does.
    await page.evaluate(`document.documentElement.dir = 'rtl'`)
    await expect
      .poll(() => newest(page).innerText())
      .toMatch(new RegExp(`^newest: \\d+ \\w+ \\d{4}, \\d\\d:\\d\\d ${zone.replace('+', '\\+')}$`))
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(await violationsOf(page)).toEqual([])
  })

  it.each([
    ['a millionth of a dollar', 1e-6],
    ['a million dollars', 1e6],
  ])('has room for a name of 64 letters, and for %s', async (_what, times) => {
    const long = 'Nebula Accelerator 9000 Ultra Max Super Extra Long Edition 192GB'
    const page = await web.visit('', { viewport: { width: 390, height: 844 } })
    await page.addInitScript((key) => sessionStorage.setItem('rackrate-key', key), web.hostKey)
    const larger = (text: string) =>
      text.replace(/"((?:rented|avail)_(?:p10|median|p90))":\[([^\]]*)\]/g, (_all, name, list) => {
        const values = (JSON.parse(`[${list}]`) as (number | null)[]).map((value) => value && value * times)
        return `"${name}":${JSON.stringify(values)}`
      })
    await page.route('**/api/v0/metrics/**', async (route) => {
      if (route.request().url().includes('/live')) return route.continue()
      const url = route
        .request()
        .url()
        .replaceAll(encodeURIComponent(long).replaceAll('%20', '+'), 'RTX+4090')
      const response = await route.fetch({ url })
      const text = (await response.text()).replaceAll('"RTX 4090"', JSON.stringify(long))
      await route.fulfill({ response, body: larger(text) })
    })
    await page.goto(`${web.url}charts?gpu=${encodeURIComponent(long)}`)
    await whenDrawn(page)
    await expect
      .poll(() => legend(page, 0).innerText())
      .toMatch(times < 1 ? /\$0\.000000\d/ : /\$\d{3},\d{3}\.\d\d/)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    const picker = page.locator('.bar summary').first()
    expect((await picker.boundingBox())?.height).toBeLessThan(40)
    await web.look(page, `extremes-${times}`)
    expect(await violationsOf(page)).toEqual([])
  })
})

describe.skipIf(!hasBrowser)('the price desk and the fleet', () => {
  let web: Web
  let machines: Machine[]
  beforeAll(async () => {
    web = await openWeb()
    machines = await machinesOf(web)
  })
  afterAll(() => web?.close())

  it.each([
    ['phone', phone],
    ['dark', { colorScheme: 'dark' }],
  ] as const)('fits the screen: %s', async (name, options) => {
    for (const [path, what] of [
      [`price?machine=${known(machines).id}`, 'desk'],
      ['machines', 'fleet'],
    ] as const) {
      const page = await web.visitAsHost(path, options)
      await (what === 'desk' ? whenPriced(page) : whenFleetListed(page))
      if (what === 'desk') {
        // Charts are drawn when they are scrolled near the screen.
        await page.locator('.charts').first().scrollIntoViewIfNeeded()
        await page.locator('.charts canvas').first().waitFor()
      }
      await web.look(page, `${what}-${name}`)
      expect(await violationsOf(page)).toEqual([])
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      await page.context().close()
    }
  })
})

declare const sessionStorage: { setItem(name: string, value: string): void }
