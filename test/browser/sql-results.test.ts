import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { examples } from '../../web/sql/panels/examples.ts'
import { hasAdHoc, idle } from '../ad-hoc.ts'
import { hasBrowser, openSharedWeb, type VisitOptions, violationsOf, type Web } from '../browser.ts'
import { button, cells, clipboard, expectDownload, openConsole, run, shown, status } from '../pages/sql.ts'

describe.skipIf(!(hasBrowser && hasAdHoc))('a result in the SQL console', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())
  const open = (options: VisitOptions = {}, path?: string) => openConsole(web, options, path)

  it('scrolls through 100,000 rows, and ends there', async () => {
    const page = await open()
    await run(page, 'SELECT number AS n, number * 2 AS twice FROM numbers(5000000)')
    await expect.poll(() => shown(status(page))).toMatch(/^The first 100,000 rows/)
    await idle(web)
    const grid = page.getByRole('grid', { name: 'Result' })
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('100001')
    await grid.focus()
    await page.keyboard.press('Control+End')
    await page.locator('[aria-rowindex="100001"]').waitFor()
    await page.keyboard.press('PageUp')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Control+Home')
    await page.locator('[aria-rowindex="2"]').waitFor()
    // However far, no more is drawn than is in sight.
    await expect.poll(() => page.getByRole('row').count()).toBeLessThan(80)
  })

  it('is sorted by its headers: numbers as numbers, however long', async () => {
    const page = await open()
    const first = async (column: number) => (await cells(page)).filter((_text, index) => index % 2 === column)
    await run(
      page,
      "SELECT n, arrayElement([NULL, 'b', 'a', 'c'], toUInt8(n % 9)) AS t FROM values('n UInt64', 18446744073709551611, 18446744073709551614, 9, 10, 18446744073709551612)",
    )
    await expect.poll(() => shown(status(page))).toBe('5 rows')
    const header = page.getByRole('columnheader').first()
    await header.click()
    await expect.poll(() => header.getAttribute('aria-sort')).toBe('ascending')
    await expect
      .poll(() => first(0))
      .toEqual(['9', '10', '18446744073709551611', '18446744073709551612', '18446744073709551614'])
    await page.keyboard.press('Enter')
    await expect.poll(() => header.getAttribute('aria-sort')).toBe('descending')
    await expect.poll(async () => (await first(0))[0]).toBe('18446744073709551614')
    await page.getByRole('columnheader').last().click()
    await expect.poll(async () => (await first(1)).at(-1)).toBe('NULL')
  })

  it('over time or by name is a chart', async () => {
    const page = await open()
    const { query = '' } = examples.find(({ title }) => title.startsWith('Medians of a few')) ?? {}
    await run(page, query)
    await button(page, 'Chart').click()
    await page.getByRole('slider', { name: /avail_median/ }).waitFor()
    await expect
      .poll(() => shown(page.locator('.legend')))
      .toMatch(/RTX 4090[\s\S]*RTX 5090|RTX 5090[\s\S]*RTX 4090/)
    await web.look(page, 'sql-chart')
    await run(page, 'SELECT gpu_name, count() AS rows FROM observations GROUP BY gpu_name ORDER BY rows DESC')
    const bars = page.getByRole('region', { name: 'rows by gpu_name' })
    await bars.waitFor()
    await expect.poll(() => bars.getByRole('rowheader').count()).toBeGreaterThan(3)
    await web.look(page, 'sql-bars')
    await run(page, "SELECT 1 AS a, 'b' AS b WHERE 0")
    await expect.poll(() => shown(status(page))).toBe('0 rows')
    await expect.poll(() => button(page, 'Chart').count()).toBe(0)
  })

  it('is filtered by its columns, and the count is announced', async () => {
    const page = await open()
    await run(
      page,
      "SELECT number AS n, if(n % 2, 'Odd', 'even') AS name, if(n % 5 = 0, NULL, n / 4) AS quarter FROM numbers(100)",
    )
    await expect.poll(() => shown(status(page))).toBe('100 rows')
    await page.getByRole('gridcell', { name: 'Odd' }).first().click()
    await button(page, 'Filter').click()
    const filters = page.getByRole('group', { name: 'Filters' })
    const found = filters.getByRole('status')
    await expect.poll(() => shown(found)).toBe('100 of 100 rows')
    await page.keyboard.type('odd') // the field has the focus
    await expect.poll(() => shown(found)).toBe('50 of 100 rows')
    await button(page, 'Filter').click()
    const second = filters.locator('.bar').nth(1)
    await second.getByLabel('Column').selectOption('n')
    await second.getByLabel('Test').selectOption('is below')
    await second.getByLabel('Value').fill('10')
    await expect.poll(() => shown(found)).toBe('5 of 100 rows')
    await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe('6')
    await page.getByRole('columnheader').first().click()
    await page.getByRole('columnheader').first().click()
    const numbers = async () => (await cells(page)).filter((_text, index) => index % 3 === 0)
    await expect.poll(numbers).toEqual(['9', '7', '5', '3', '1'])
    await button(page, 'Copy all').click()
    await expect.poll(() => clipboard(page)).toMatch(/^n\tname\tquarter\n9\tOdd\t2.25\n7/)
    await web.look(page, 'sql-filters')
    expect(await violationsOf(page)).toEqual([])
    // The points of the decimals stand below each other.
    const ends = await page
      .locator('td.number:nth-child(3)')
      .evaluateAll((found) =>
        (found as unknown as { innerText: string; style: { paddingRight: string } }[]).map(
          ({ innerText, style }) => [innerText, style.paddingRight],
        ),
      )
    expect(ends).toEqual([
      ['2.25', ''],
      ['1.75', ''],
      ['NULL', ''],
      ['0.75', ''],
      ['0.25', ''],
    ])
    await button(page, 'Remove the filter of n').click()
    await button(page, 'Remove the filter of name').click()
    await expect.poll(() => filters.count()).toBe(0)
  })

  it('is downloaded as CSV, all of it', async () => {
    await expectDownload(await open(), ['CSV', 'csv', /^"n"\n0\n1\n/])
  })
})
