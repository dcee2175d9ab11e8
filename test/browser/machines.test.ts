import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openSharedWeb, violationsOf, type Web } from '../browser.ts'
import { parametersOf } from '../pages/charts.ts'
import { figure, type Machine, machinesOf, whenFleetListed, whenPriced } from '../pages/desk.ts'

describe.skipIf(!hasBrowser)('the page of the own machines', () => {
  let web: Web
  let machines: Machine[]
  beforeAll(async () => {
    web = await openSharedWeb()
    machines = await machinesOf(web)
  })
  afterAll(() => web?.close())

  it('has a row for each own machine with what it earned, and adds them up', async () => {
    const page = await web.visitAsHost('machines')
    await whenFleetListed(page)
    const rows = page.locator('.fleet tbody tr')
    await expect.poll(() => rows.count()).toBe(machines.length)
    const sum = machines.reduce((total, { figures }) => total + (figures?.income_30d ?? 0), 0)
    await expect
      .poll(() => figure(page, 'Income').innerText())
      .toBe(`$${Math.round(sum).toLocaleString('en-US')}`)
    await page.locator('.price-scale').first().waitFor()
    await web.look(page, 'fleet')
    expect(await violationsOf(page)).toEqual([])

    await page.getByRole('button', { name: 'Income', exact: true }).click()
    const best = machines.toSorted((a, b) => (b.figures?.income_30d ?? 0) - (a.figures?.income_30d ?? 0))[0]
    await expect.poll(() => rows.first().innerText()).toContain(`${best?.id}:`)
    await expect.poll(() => page.locator('[aria-sort=descending]').innerText()).toContain('Income')
    await page.getByLabel('GPU type or id').fill(String(best?.id))
    // Its id may be part of the name of a GPU.
    await expect.poll(() => rows.count()).toBeLessThan(machines.length)
    const ids = async () => (await rows.allInnerTexts()).map((text) => text.split(':')[0])
    await expect.poll(ids).toContain(String(best?.id))
    await page.getByLabel('GPU type or id').fill('nothing like it')
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByRole('button', { name: 'Classes' }).click()
    await expect.poll(() => rows.count()).toBeLessThanOrEqual(machines.length)
    await web.look(page, 'fleet-classes')
  })

  it('leads from a machine to its price', async () => {
    const page = await web.visitAsHost('machines')
    await whenFleetListed(page)
    await page.locator('.fleet tbody tr').first().getByRole('link').last().focus()
    await page.keyboard.press('Enter')
    await whenPriced(page)
    expect(parametersOf(page).machine).toBeDefined()
  })
})
