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
    await page.getByRole('link', { name: /^Machines/ }).click()
    await page.locator('.fleet tbody a').first().waitFor()
    expect(parametersOf(page)).toEqual({ verified: 'all' })
  })

  it('shows “thin” with the reason instead of a change of few machines', async () => {
    const page = await web.visit('market', { key: web.hostKey })
    await page.route('**/api/v0/metrics/gpu/current?*', async (route) => {
      const response = await route.fetch()
      const answer = (await response.json()) as { gpus: { gpu_name: string }[] }
      const gpus = answer.gpus.map((gpu) => ({
        ...gpu,
        price_thin: gpu.gpu_name === 'RTX 4090',
        price_change_7d: 32,
      }))
      await route.fulfill({ response, json: { ...answer, gpus } })
    })
    await page.reload()
    const changeOf = (name: string) =>
      page
        .getByRole('row')
        .filter({ has: page.getByRole('rowheader', { name, exact: true }) })
        .locator('.week')
    await expect.poll(() => changeOf('RTX 3090').innerText()).toContain('+32')
    await expect.poll(() => changeOf('RTX 4090').locator('.term').innerText()).toBe('thin')
    await changeOf('RTX 4090').locator('.term').hover()
    await expect.poll(() => page.getByRole('tooltip').innerText()).toMatch(/fewer than 5 machines/)
    await web.look(page, 'market-thin')
  })
})
