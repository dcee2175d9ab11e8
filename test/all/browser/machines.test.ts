import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openWeb, violationsOf, type Web } from '../../browser.ts'
import { parametersOf } from '../../pages/charts.ts'
import { figure, type Machine, machinesOf, whenFleetListed } from '../../pages/desk.ts'

describe.skipIf(!hasBrowser)('the page of the own machines', () => {
  let web: Web
  let machines: Machine[]
  beforeAll(async () => {
    web = await openWeb()
    machines = await machinesOf(web)
  })
  afterAll(() => web?.close())

  it('shows 10,000 machines in parts, sorted and summed over all of them', async () => {
    const page = await web.visitAsHost('machines')
    await whenFleetListed(page)
    const [template] = machines
    const asked: (string | null)[] = []
    await page.route('**/api/v0/metrics/machines?*', (route) => {
      const after = Number(new URL(route.request().url()).searchParams.get('after') ?? 0)
      const { searchParams } = new URL(route.request().url())
      if (!searchParams.has('limit')) asked.push(searchParams.get('figures'))
      const part = Array.from({ length: 100 }, (_, n) => ({
        ...template,
        id: after + n + 1,
        figures: { ...template?.figures, income_7d: after + n + 1 },
      }))
      return route.fulfill({
        json: { success: true, slot: 1, machines: part, next: after + 100 < 10_000 ? after + 100 : null },
      })
    })
    await page.reload()
    await page.getByText(/^1 online|10,000 online/).waitFor({ timeout: 300_000 })
    await expect.poll(() => figure(page, 'Earned, 7 days').innerText()).toBe('$50,005,000')
    // Each page once, without the curves: 10,000 machines with them have 120 MB.
    expect(asked).toEqual(Array.from({ length: 100 }, () => 'brief'))
    const rows = page.locator('.fleet tbody tr')
    await expect.poll(() => rows.count()).toBe(50)
    await page.getByRole('button', { name: 'Earned, 7 days', exact: true }).click()
    await expect.poll(() => rows.first().innerText()).toMatch(/\b10000\b/)
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('51 to 100 of 10,000').waitFor()
    expect(parametersOf(page).page).toBe('2')
    expect(await violationsOf(page)).toEqual([])
  })
})
