import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openWeb, type Web } from '../../browser.ts'
import { parametersOf } from '../../pages/charts.ts'
import { known, type Machine, machinesOf, whenPriced } from '../../pages/desk.ts'

describe.skipIf(!hasBrowser)('the price desk', () => {
  let web: Web
  let machines: Machine[]
  beforeAll(async () => {
    web = await openWeb()
    machines = await machinesOf(web)
  })
  afterAll(() => web?.close())

  it('forgets the price of one GPU type when another is chosen', async () => {
    const page = await web.visitAsHost('price?gpu=RTX+4090&verified=all')
    await whenPriced(page)
    const field = page.getByLabel('Price, USD per GPU-hour')
    const usual = await field.inputValue()
    await field.press('End')
    await field.press('1')
    await field.press('Backspace') // as it was: no change to a browser
    await page.getByRole('slider', { name: 'Price' }).first().focus()
    await page.keyboard.press('End')
    await expect.poll(() => parametersOf(page).price).toBeDefined()
    await expect.poll(() => field.inputValue()).not.toBe(usual)
    await page.getByRole('combobox', { name: 'GPU', exact: true }).selectOption('H100 SXM')
    await expect.poll(() => parametersOf(page)).toEqual({ gpu: 'H100 SXM', verified: 'all' })
    await whenPriced(page)
    const asked = await web.visitAsHost(`price${new URL(page.url()).search}`)
    await whenPriced(asked)
    expect(await field.inputValue()).toBe(await asked.getByLabel('Price, USD per GPU-hour').inputValue())
  })

  it('gives the curve as a table and as a file', async () => {
    const page = await web.visitAsHost(`price?machine=${known(machines).id}`)
    await page.locator('.charts canvas').first().waitFor()
    await page.locator('.menu summary').first().click()
    await page.getByRole('button', { name: 'Table', exact: true }).click()
    const table = page.getByRole('region', { name: 'Table: Income a day by price' })
    await expect.poll(() => table.locator('tbody tr').count()).toBeGreaterThan(100)
    await expect.poll(() => table.locator('thead').innerText()).toContain('Income a day, low')
  })
})
