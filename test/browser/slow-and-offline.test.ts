import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pages } from '../../contract/pages.ts'
import { hasBrowser, openSharedWeb, type Web } from '../browser.ts'

const { today, market, where, build, charts, price, machines, alerts, autopilot, elsewhere } = pages
const figures = [today, market, where, build, charts, price, machines, alerts, autopilot, elsewhere]
const paths = figures.map((path) => path.slice(1))

describe.skipIf(!hasBrowser)('a page', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())

  it.each(paths)('shows no figure and offers no price before a slow service answers: /%s', async (path) => {
    const page = await web.visitAsHost('docs')
    let answer = () => {}
    const answers = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route(isFigure, async (route) => {
      await answers
      await route.continue()
    })
    const asked = page.waitForRequest((request) => isFigure(new URL(request.url())))
    await page.goto(web.url + path)
    await asked
    await headingOf(page).waitFor()
    const shown = await page.locator('main').innerText()
    // Notes have whole percentages, as in "the middle 80 %".
    expect(shown.match(/\$\d[\d.,]*|\d\.\d %/g) ?? []).toEqual([])
    expect(
      await page
        .locator('main')
        .getByRole('button', { name: /^(Set|Copy the price|Review)/ })
        .count(),
    ).toBe(0)
    answer()
    await whenRead(page)
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it.each(paths)(
    'names the lost connection when it is opened offline, and returns with it: /%s',
    async (path) => {
      const page = await web.visitAsHost('docs')
      await headingOf(page).waitFor()
      const menu = page.getByRole('navigation', { name: 'Pages' })
      await menu.getByRole('link', { name: 'Market' }).waitFor()
      await page.context().setOffline(true)
      // The menu opens pages the same way, without a request for a document.
      await page.evaluate(`history.pushState(null, '', '${web.url}${path}')`)
      await page.getByRole('heading', { name: 'You are offline' }).waitFor()
      await page.getByRole('button', { name: 'Reload' }).waitFor()
      await menu.getByRole('link', { name: 'Market' }).waitFor()
      await page.context().setOffline(false)
      await expect.poll(() => headingOf(page).innerText()).not.toBe('You are offline')
      await whenRead(page)
    },
  )
})

const isFigure = ({ pathname }: URL) => /\/api\/v0\/(?!users\/current|metrics\/live)/.test(pathname)

const headingOf = (page: Page) => page.getByRole('heading', { level: 1 })

async function whenRead(page: Page): Promise<void> {
  await headingOf(page).waitFor()
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
}
