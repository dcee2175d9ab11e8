import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openSharedWeb, violationsOf, type Web } from '../browser.ts'
import { parametersOf } from '../pages/charts.ts'

describe.skipIf(!hasBrowser)('the page What to buy', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())

  it('ranks classes, and shows the payback of a purchase price', async () => {
    const page = await web.visitAsHost('build?verified=all&rigs=all')
    await page.locator('.ranks tbody tr').first().waitFor()
    expect(await page.locator('.headline').textContent()).toMatch(/left most: \$\d/)
    const field = page.getByLabel('Price of a RTX 4090').first()
    await field.fill('1650')
    await field.blur()
    const row = page.getByRole('row', { name: /RTX 4090/ }).first()
    await expect.poll(() => row.textContent()).toMatch(/\d+\.\d(–)?$/)
    expect(parametersOf(page).buy).toBe('rtx 4090:1650')
    await page.getByRole('button', { name: 'By payback' }).click()
    await expect
      .poll(() => page.locator('.headline').textContent())
      .toMatch(/RTX 4090 .*pays back in about \d+ months/)
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'build')
    await page.getByRole('combobox', { name: 'GPU type' }).selectOption('RTX 4090')
    const sizes = page.getByRole('region', { name: /^Income by: Rig size, RTX 4090/ })
    await sizes.getByRole('row', { name: /^1× \$\d/ }).waitFor()
    await page.getByRole('region', { name: /^Income by: Minimum bid ÷ price, 1× RTX 4090/ }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'build-terms')
    await page.setViewportSize({ width: 1440, height: 900 })
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    await web.look(page, 'build-wide')
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'build-phone')
  })
})
