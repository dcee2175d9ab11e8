import type { Page } from 'playwright-core'
import { expect } from 'vitest'

export interface Question {
  path: string
  step: number
}

export const more = (page: Page) => page.locator('.bar summary').last()
const filter = (page: Page) => page.locator('.force summary')
const filters = ['Machines', 'Hosting', 'Rig size']
/** The newest bucket of the charts. */
export const newest = (page: Page) => page.locator('.newest')
/** A field under “Filter” or “More”, which opens for it. */
export const option = async (page: Page, label: string) => {
  const field = page.getByRole('combobox', { name: label, exact: true })
  // The form is drawn first: until then no field is visible.
  await more(page).or(field).first().waitFor()
  if (!(await field.isVisible())) await (filters.includes(label) ? filter(page) : more(page)).click()
  return field
}
export const choose = async (page: Page, label: string, value: string) =>
  (await option(page, label)).selectOption(value)
/** Does something with the menu of a chart. */
export const act = async (page: Page, action: string, chart = 0) => {
  await page.locator('.menu summary').nth(chart).click()
  await page.locator('.menu .panel').getByRole('button', { name: action, exact: true }).click()
}
export const plots = (page: Page) => page.locator('.plot')
export const legend = (page: Page, chart = 0) => page.locator('.legend').nth(chart)
export const whenDrawn = (page: Page) =>
  page.locator('.charts[aria-busy=false] canvas, .no-data').first().waitFor()
export const whenListed = (page: Page) =>
  page.locator('.market table[aria-busy=false] tbody a').first().waitFor()
/** Own prices are drawn last. */
export const whenOwnDrawn = (page: Page) =>
  legend(page, 0)
    .getByText(/^Your prices?$/)
    .waitFor()
/** Zooms into a tenth of the first chart. */
export const drag = async (page: Page) => {
  // A redrawn chart loses its drag.
  await whenOwnDrawn(page)
  const box = await plots(page).first().boundingBox()
  if (!box) throw new Error('the chart has no place')
  await page.mouse.move(box.x + box.width * 0.5, box.y + 80)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.6, box.y + 90, { steps: 4 })
  await page.mouse.up()
}
export const parametersOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

/** The history requests of the page during an action, without the requests of its cards. */
export async function askedWhile(page: Page, act: () => Promise<unknown>): Promise<Question[]> {
  const asked: Question[] = []
  const listen = (response: { url(): string; headers(): Record<string, string> }) => {
    const url = new URL(response.url())
    if (url.pathname.endsWith('/gpu/history') && url.searchParams.get('step') !== '3600')
      asked.push({
        path: url.pathname.slice(1) + url.search,
        step: Number(response.headers()['rackrate-step']),
      })
  }
  page.on('response', listen)
  await act()
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  await whenDrawn(page)
  page.off('response', listen)
  return asked
}
