import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openSharedWeb, violationsOf, type Web } from '../browser.ts'
import { parametersOf } from '../pages/charts.ts'

describe.skipIf(!hasBrowser)('the reference page', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())

  it('is there for everybody to read, find their way in, and try', async () => {
    const page = await web.visit('docs')
    await page.getByRole('heading', { name: 'API', exact: true }).waitFor()
    const links = page.getByRole('navigation', { name: 'Operations' }).getByRole('link')
    const { paths } = (await web.get('/openapi.json')).body as { paths: Record<string, object> }
    const operations = Object.values(paths).flatMap(Object.keys)
    await expect.poll(() => links.count()).toBe(operations.length)
    await web.look(page, 'reference')
    expect(await violationsOf(page)).toEqual([])

    await page.keyboard.press('/')
    await page.keyboard.type('price history')
    await expect.poll(() => links.count()).toBeLessThan(operations.length / 5)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'GPU price and supply history' }).waitFor()
    expect(parametersOf(page)).toEqual({ operation: 'getGpuHistory' })
    await expect.poll(() => page.title()).toBe('GPU price and supply history – rackrate')
    await page.getByText('Headers').first().waitFor()
    await page.getByLabel('API key').fill('rr_nonsense')
    await page.getByLabel('gpu_name').fill('RTX 4090')
    await page.getByLabel('verified').selectOption('all')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('401').last().waitFor()
    await page.getByLabel('API key').fill(web.hostKey)
    await expect
      .poll(() => page.locator('.curl').textContent())
      .toContain(
        `curl -s -H "Authorization: Bearer $RACKRATE_KEY" '${web.url}api/v0/metrics/gpu/history?gpu_name=RTX+4090&verified=all'`,
      )
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('200 OK').waitFor()
    await expect.poll(() => page.getByLabel('Body of the answer').textContent()).toContain('"RTX 4090": {')
    await page.getByText('Its form').click()
    await web.look(page, 'reference-operation')
    expect(await violationsOf(page)).toEqual([])
  })
})
