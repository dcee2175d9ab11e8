import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openSharedWeb, violationsOf, type Web } from '../browser.ts'
import { askedWhile, choose, legend, more, parametersOf, plots, whenDrawn } from '../pages/charts.ts'

describe.skipIf(!hasBrowser)('charts that are compared', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())

  it('show the period before', async () => {
    const page = await web.visitAsHost('charts?gpu=RTX+4090&step=21600')
    await whenDrawn(page)
    await more(page).click()
    const [before] = await askedWhile(page, () => page.getByLabel('Period before').check())
    const length = 7 * 86_400
    const asked = new URLSearchParams(before?.path.split('?')[1])
    expect(Number(asked.get('end')) - Number(asked.get('start'))).toBe(length)
    await page.keyboard.press('Escape')
    await legend(page, 0).getByText('Available (period before)').waitFor()
    await legend(page, 2).getByText('Rented ÷ total (period before)').waitFor()
    expect(parametersOf(page).before).toBe('yes')
    await web.look(page, 'period-before')
    expect(await violationsOf(page)).toEqual([])
  })

  it('share a chart, or stand side by side', async () => {
    const page = await web.visitAsHost('charts?gpu=RTX+4090,RTX+3090,RTX+5090,H100+SXM')
    await whenDrawn(page)
    await page.getByRole('button', { name: 'Compare' }).click()
    await expect
      .poll(() => legend(page, 0).getByRole('button').allInnerTexts())
      .toEqual(['RTX 4090', 'RTX 3090', 'RTX 5090', 'H100 SXM'])
    await choose(page, 'Compare', 'rented')
    await page.getByText('Price, rented').waitFor()
    await web.look(page, 'compare')
    expect(await violationsOf(page)).toEqual([])

    await page.getByText(/GPUs: 4 types/).click()
    await page.getByLabel(/^All types/).check()
    const { names } = (await web.get('/api/v0/metrics/gpu/names')).body as { names: unknown[] }
    await expect.poll(() => plots(page).count()).toBe(names.length)
    await page.keyboard.press('Escape')
    await choose(page, 'Chart', 'occupancy')
    await whenDrawn(page)
    await web.look(page, 'side-by-side')
    expect(await violationsOf(page)).toEqual([])
    // Each has its figures as a table, too.
    await page.getByLabel('RTX 4090: actions').click()
    await page.getByRole('button', { name: 'Table' }).click()
    const table = page.getByRole('region', { name: 'Table: RTX 4090' })
    await expect.poll(() => table.locator('tbody tr').count()).toBeGreaterThan(6)
    await web.look(page, 'side-by-side-table')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('link', { name: 'RTX 4090', exact: true }).click()
    await page.getByText('Price of RTX 4090').waitFor()
  })
})
