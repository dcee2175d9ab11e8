import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openSharedWeb, type Web } from '../browser.ts'

type Act = (page: Page) => Promise<unknown>

const press =
  (name: string | RegExp): Act =>
  (page) =>
    page.locator('main').getByRole('button', { name, exact: true }).first().click()
const choose =
  (label: string, value: string): Act =>
  (page) =>
    page.locator('main').getByRole('combobox', { name: label, exact: true }).first().selectOption(value)
const follow =
  (name: string | RegExp): Act =>
  (page) =>
    page.locator('main').getByRole('link', { name }).first().click()

/** Two changes of each page: filters, periods, tabs, orders. */
const steps: [string, Act, Act][] = [
  ['', press('Day'), press('Month')],
  ['market', choose('Hosting', 'secure_cloud'), press(/^Rented median/)],
  ['charts?gpu=RTX+4090,RTX+3090', press('30d'), press('Compare')],
  ['charts?gpu=RTX+4090', press('Book'), press('Forecast')],
  ['where', press('Regions'), choose('Hosting', 'secure_cloud')],
  ['build', press('Per watt'), press('90 days')],
  ['elsewhere', choose('Hosting', 'secure_cloud'), choose('Machines', 'all')],
  ['machines', press('Classes'), choose('Show', 'offline')],
  ['docs', follow('List API keys'), follow('Get an API key')],
]

describe.skipIf(!hasBrowser)('back and forward', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())

  it.each(steps)('restore each step of the page /%s', async (path, first, second) => {
    const page = await web.visitAsHost(path)
    await whenRead(page)
    const views = [await settled(page)]
    for (const act of [first, second]) {
      await act(page)
      await expect.poll(() => viewOf(page)).not.toEqual(views.at(-1))
      await whenRead(page)
      views.push(await settled(page))
    }
    const [start, between, end] = views
    for (const [go, expected] of [
      ['goBack', between],
      ['goBack', start],
      ['goForward', between],
      ['goForward', end],
    ] as const) {
      await page[go]()
      await expect.poll(() => viewOf(page)).toEqual(expected)
    }
  })

  it('close the search of the menu and the list of keys', async () => {
    const page = await web.visitAsHost('market')
    await whenRead(page)
    await page.getByRole('link', { name: 'Where' }).click()
    for (const key of ['Control+K', '?']) {
      await whenRead(page)
      await page.locator('#content').focus()
      await page.keyboard.press(key)
      await page.getByRole('dialog').waitFor()
      await page.goBack()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.goForward()
    }
  })
})

async function whenRead(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expect.poll(() => page.locator('[aria-busy=true], .skeleton').count()).toBe(0)
}

/** The view, once it does not change for a second. */
async function settled(page: Page): Promise<string[]> {
  let view = await viewOf(page)
  for (let same = 0; same < 4; ) {
    await pause(250)
    const now = await viewOf(page)
    same = isDeepStrictEqual(now, view) ? same + 1 : 0
    view = now
  }
  return view
}

/** The address, the title, and all that is chosen on a page. Legends grow when own prices are there. */
const viewOf = (page: Page) =>
  page.evaluate<string[]>(`[
    location.pathname + location.search,
    document.querySelector('h1')?.textContent ?? '',
    ...[...document.querySelectorAll('main :is([aria-pressed=true], [aria-current], [aria-selected=true])')].filter((element) => !element.closest('.legend')).map((element) => element.textContent),
    ...[...document.querySelectorAll('main .filters :is(select, input), main header select')].map(({ value }) => value),
  ]`)
