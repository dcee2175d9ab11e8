import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openSharedWeb, violationsOf, type Web } from '../browser.ts'
import { parametersOf } from '../pages/charts.ts'

describe.skipIf(!hasBrowser)('the page Where', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())

  it('shows the places of the most common own GPU type on a map and in a table', async () => {
    const page = await web.visitAsHost('where')
    await page.locator('.map circle').first().waitFor()
    expect(parametersOf(page).gpu).not.toBe('')
    await page.getByRole('combobox', { name: /^GPU/ }).selectOption('all')
    const row = page.getByRole('row', { name: /^United States/ })
    await expect.poll(() => row.textContent()).toMatch(/^United States( , \d+ machines? of yours)?\d+.*%$/)
    expect(await page.locator('.map').count()).toBe(2)
    expect(await page.locator('.map text').allTextContents()).toContainEqual(expect.stringMatching(/^US \d/))
    // The own machines are marked on the map, in the table, and named in the sentence.
    await page.locator('.map circle.own').first().waitFor()
    await page.getByText(/^.*Your \d+ machines are in /).waitFor()
    await page.locator('.places tbody .dot.own').first().waitFor()
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'where')
    await page.getByRole('button', { name: 'Regions' }).click()
    await page.getByRole('row', { name: /^North America/ }).waitFor()
    expect(parametersOf(page).by).toBe('region')
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'where-phone')
  })

  it('leads on when no GPU matches the filters', async () => {
    const page = await web.visitAsHost('where?gpu=RTX+4090&num_gpus=16')
    await page.getByRole('button', { name: 'Show all machines' }).click()
    await page.locator('.map circle').first().waitFor()
  })
})
