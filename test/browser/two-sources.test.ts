import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { hasBrowser, openWeb, violationsOf } from '../browser.ts'
import { rigsAt } from '../stand-in.ts'
import { openTwoSources } from '../two-sources.ts'

describe.skipIf(!hasBrowser)('two sources', () => {
  let sources: Awaited<ReturnType<typeof openTwoSources>>
  beforeAll(async () => {
    sources = await openTwoSources()
  })
  afterAll(() => sources?.close())

  it('two sources of a site can be chosen in the header of the page', async () => {
    const { databases, market } = sources
    await sources.take(0)
    await sources.load()
    const web = await openWeb({ empty: true, databases, markets: [market] })
    try {
      const page = await web.visit('market', { key: web.adminKey })
      const gpus = async () => {
        const cells = await page.locator('tbody tr td:last-child').allInnerTexts()
        return cells.reduce((sum, text) => sum + Number(text), 0)
      }
      const verified = (count: number) =>
        rigsAt(count).reduce((sum, rig) => sum + (rig.verified ? rig.gpus : 0), 0)
      await vi.waitFor(async () => expect(await gpus()).toBe(verified(40)), { timeout: 90_000 })
      await page.getByLabel('Source of the market').selectOption('vast')
      await page.waitForURL(/source=vast/)
      await vi.waitFor(async () => expect(await gpus()).toBe(verified(60)), { timeout: 90_000 })
      expect(await violationsOf(page)).toEqual([])
      await web.look(page, 'sources')
      await page.getByRole('link', { name: 'Charts' }).click()
      await page.waitForURL(/charts\?.*source=vast/)
      await page.getByRole('link', { name: 'Data' }).click()
      await page.getByRole('tab', { name: 'Examples' }).click()
      await page.getByRole('button', { name: /^Sources side by side/ }).click()
      expect(await page.locator('.cm-content').innerText()).toContain(
        `FROM ${market.clickhouseAddress.database}.observations`,
      )
      expect(await page.getByLabel('Source of the market').count()).toBe(0)
    } finally {
      await web.app.close()
    }
  })
})
