import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openSharedWeb, violationsOf, type Web } from '../browser.ts'
import { parametersOf } from '../pages/charts.ts'

describe.skipIf(!hasBrowser)('the structure of a GPU type', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())

  it('shows prices, tiers, rig sizes and terms below its places', async () => {
    const page = await web.visitAsHost('where?gpu=RTX+4090&verified=all')
    await page.locator('.bars rect').first().waitFor()
    expect(await page.locator('.structure > p').first().textContent()).toMatch(
      /^\d+ RTX 4090 GPUs are on the market/,
    )
    expect(await page.getByRole('row', { name: /^verified/ }).textContent()).toMatch(/%/)
    await page.getByRole('row', { name: /^1× / }).first().waitFor()
    await page.getByText('Terms of similar machines').click()
    await page.getByRole('row', { name: /^Storage/ }).waitFor()
    await page.getByRole('heading', { name: 'What renters pay for' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'structure')
    await page.getByRole('combobox', { name: /^GPU/ }).selectOption('RTX 3090')
    await expect.poll(() => page.locator('.structure > p').first().textContent()).toMatch(/RTX 3090/)
    expect(parametersOf(page).gpu).toBe('RTX 3090')
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'structure-phone')
  })
})
