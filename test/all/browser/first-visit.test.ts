import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openSharedWeb, violationsOf, type Web } from '../../browser.ts'
import { whenListed } from '../../pages/charts.ts'
import { phone, whenPriced } from '../../pages/desk.ts'

describe.skipIf(!hasBrowser)('a first visit', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())

  it.each([
    ['wide', {}],
    ['phone', phone],
  ] as const)(
    'explains each page and names the market until the explanation is dismissed: %s',
    async (name, options) => {
      const page = await web.visitAsHost('market', options)
      const said = page.getByRole('complementary', { name: 'Introduction' })
      await whenListed(page)
      await said.getByText('What do others charge?').waitFor()
      await said.getByText('It shows the machines of a simulated market.').waitFor()
      expect(await violationsOf(page)).toEqual([])
      await web.look(page, `first-visit-${name}`)
      await page.getByRole('link', { name: 'Pricing' }).click()
      await said.getByText('What should I charge?').waitFor()
      await whenPriced(page)
      await said.getByRole('button', { name: 'Got it' }).click()
      await expect.poll(() => said.count()).toBe(0)
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content')
      await page.getByRole('link', { name: 'Market' }).click()
      await page.reload()
      await whenListed(page)
      expect(await said.count()).toBe(0)
    },
  )
})
