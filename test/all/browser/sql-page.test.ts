import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasAdHoc } from '../../ad-hoc.ts'
import { hasBrowser, openWeb, type VisitOptions, violationsOf, type Web } from '../../browser.ts'
import { button, openConsole, run, shown, status, tab } from '../../pages/sql.ts'

describe.skipIf(!(hasBrowser && hasAdHoc))('the SQL page', () => {
  let web: Web
  beforeAll(async () => {
    web = await openWeb()
  })
  afterAll(() => web?.close())
  const open = (options: VisitOptions = {}, path?: string) => openConsole(web, options, path)

  it.each(['light', 'dark'] as const)('has nothing that axe would find, in %s', async (colorScheme) => {
    const page = await open({ colorScheme })
    const found = () => violationsOf(page)
    await run(
      page,
      "SELECT {a:String} AS a, NULL, [1], repeat('long ', 30) AS l, sum(number) FROM numbers(9) GROUP BY number WITH TOTALS",
    )
    await page.getByRole('gridcell').first().click()
    expect(await found()).toEqual([])
    for (const name of ['Examples', 'Saved', 'History', 'Activity']) {
      await tab(page, name)
      expect(await found(), name).toEqual([])
    }
    await run(page, 'SELECT gpu_name, count() FROM observations GROUP BY gpu_name')
    await button(page, 'Chart').click()
    expect(await found()).toEqual([])
    await run(page, 'SELECT 1,, 2')
    await page.getByRole('alert').waitFor()
    expect(await found()).toEqual([])
    await button(page, 'Save…').click()
    expect(await found()).toEqual([])
    await web.look(page, `sql-${colorScheme}`)
  })

  it('fits a phone', async () => {
    const page = await open({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
    await run(page, 'SELECT slot, machine_id, gpu_name, price FROM observations LIMIT 100')
    await expect.poll(() => shown(status(page))).toBe('100 rows')
    const overflow = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    await expect.poll(overflow).toBeLessThanOrEqual(0)
    await web.look(page, 'sql-phone')
    await button(page, 'Schema, examples, history').click()
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/v0/metrics/sql/queries*', async (route) => {
      await held
      await route.continue()
    })
    for (const name of ['Schema', 'Activity']) {
      await tab(page, name)
      await expect.poll(overflow).toBeLessThanOrEqual(0)
    }
    // Without queries yet, the table scrolls and has nothing in it that takes the focus.
    expect(await violationsOf(page)).toEqual([])
    answer()
    await page.locator('.activity tbody tr').first().waitFor()
    await web.look(page, 'sql-phone-sidebar')
    expect(await violationsOf(page)).toEqual([])
  })
})
