import { afterAll, beforeAll, describe, it } from 'vitest'
import { hasBrowser, openWeb, type Web } from '../../browser.ts'
import { whenListed } from '../../pages/charts.ts'

describe.skipIf(!hasBrowser)('the sign-in', () => {
  let web: Web
  beforeAll(async () => {
    web = await openWeb()
  })
  afterAll(() => web?.close())

  it('works where nothing may be kept', async () => {
    const page = await web.visit('')
    await page.context().addInitScript(`for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError') } })`)
    await page.reload()
    await page.getByLabel('API key').fill(web.hostKey)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await whenListed(page)
  })
})
