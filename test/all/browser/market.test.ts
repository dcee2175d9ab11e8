import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openWeb, type Web } from '../../browser.ts'
import { parametersOf, whenListed } from '../../pages/charts.ts'

describe.skipIf(!hasBrowser)('the market page', () => {
  let web: Web
  beforeAll(async () => {
    web = await openWeb()
  })
  afterAll(() => web?.close())

  it('keeps what is searched for to its page', async () => {
    const page = await web.visitAsHost('?find=4090&sort=name&verified=all')
    await whenListed(page)
    await page.getByRole('link', { name: 'My machines' }).click()
    await page.locator('.fleet tbody a').first().waitFor()
    expect(parametersOf(page)).toEqual({ verified: 'all' })
  })
})
