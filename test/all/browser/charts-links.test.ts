import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openWeb, shiftOf, type Web, watchShift } from '../../browser.ts'
import { legend } from '../../pages/charts.ts'

describe.skipIf(!hasBrowser)('the charts page', () => {
  let web: Web
  beforeAll(async () => {
    web = await openWeb()
  })
  afterAll(() => web?.close())

  it.each([
    ['a name in another case', 'charts?gpu=rtx_4090'],
    ['a name that is a property of every object', 'charts?gpu=__proto__,RTX+4090&focus=RTX+4090'],
    ['a name that nobody has', 'charts?gpu=Voodoo+2,RTX+4090&focus=RTX+4090'],
    ['the address that charts had before', '?gpu=RTX+4090'],
  ])('takes a link with %s', async (_what, path) => {
    const page = await web.visitAsHost(path)
    await page.getByText('Price of RTX 4090').waitFor()
    await expect.poll(() => legend(page, 0).textContent()).toContain('$')
  })

  it.each(['book', 'duration', 'prices', 'revenue'])(
    'opens at the chart that a link names: %s',
    async (name) => {
      const page = await web.visitAsHost('charts?gpu=RTX+4090')
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.getByRole('button', { name: 'Book', exact: true }).click()
      await page.locator(`#${name} canvas, #${name} .plot`).first().waitFor()
      await page.locator(`#${name} .menu summary`).click()
      await page.locator(`#${name}`).getByRole('button', { name: 'Copy link' }).click()
      const copied = String(await page.evaluate('navigator.clipboard.readText()'))
      await page.locator(`#${name} .anchor`).click()
      expect(page.url()).toBe(copied)
      expect(new URL(copied).hash).toBe(`#${name}`)

      const other = await web.visit('market', { key: web.hostKey })
      await watchShift(other)
      await other.goto(copied)
      await other.locator(`#${name} canvas`).waitFor()
      const top = () =>
        other.evaluate<number>(`document.querySelector('#${name}').getBoundingClientRect().top`)
      await expect.poll(top).toBeGreaterThanOrEqual(0)
      expect(await top()).toBeLessThan(600)
      expect(await shiftOf(other)).toBeLessThanOrEqual(0.02)
    },
  )
})
