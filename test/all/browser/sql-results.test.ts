import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasAdHoc } from '../../ad-hoc.ts'
import { hasBrowser, openWeb, type VisitOptions, violationsOf, type Web } from '../../browser.ts'
import {
  button,
  clipboard,
  editor,
  expectDownload,
  openConsole,
  run,
  shown,
  status,
  write,
} from '../../pages/sql.ts'

describe.skipIf(!(hasBrowser && hasAdHoc))('a result in the SQL console', () => {
  let web: Web
  beforeAll(async () => {
    web = await openWeb()
  })
  afterAll(() => web?.close())
  const open = (options: VisitOptions = {}, path?: string) => openConsole(web, options, path)

  it('is copied: a cell, or all of it', async () => {
    const page = await open()
    await run(page, "SELECT * FROM values('a UInt8, b Nullable(String)', (1, 'x\\ty'), (2, NULL))")
    await page.getByRole('gridcell', { name: '2', exact: true }).click()
    await page.keyboard.press('Control+c')
    await expect.poll(() => clipboard(page)).toBe('2')
    await button(page, 'Copy all').click()
    await expect.poll(() => clipboard(page)).toBe('a\tb\n1\t"x\ty"\n2\t')
  })

  it('is drawn over times of UTC, also where the clock of the browser is changed', async () => {
    const page = await open({ timezoneId: 'Europe/Berlin' })
    const texts = await page.evaluateHandle<string[]>(`(() => {
      const drawn = []
      const { fillText } = CanvasRenderingContext2D.prototype
      CanvasRenderingContext2D.prototype.fillText = function record(text, ...place) {
        drawn.push(text)
        fillText.call(this, text, ...place)
      }
      return drawn
    })()`)
    // Berlin's clock is put forward at 01:00 UTC: the local time 02:00 does not exist.
    await run(
      page,
      `SELECT toDateTime('2026-03-28 22:00:00', 'UTC') + number * 3600 AS t, number AS n FROM numbers(7)`,
    )
    await expect.poll(() => shown(status(page))).toBe('7 rows')
    await button(page, 'Chart').click()
    await expect
      .poll(() => texts.evaluate((drawn) => [...new Set(drawn)]))
      .toEqual(
        expect.arrayContaining(['22:00', '23:00', '00:00', '29 Mar', '01:00', '02:00', '03:00', '04:00']),
      )
  })

  it('is drawn as chosen, and not across times that are missing', async () => {
    const page = await open()
    await run(
      page,
      `SELECT toDateTime('2026-01-01', 'UTC') + number * 3600 AS t, if(number % 2, 'odd', 'even') AS name, number AS n, n * n AS square
       FROM numbers(24) WHERE number NOT BETWEEN 9 AND 14`,
    )
    await expect.poll(() => shown(status(page))).toBe('18 rows')
    await button(page, 'Chart').click()
    const field = (label: string) => page.getByRole('combobox', { name: label, exact: true })
    await expect.poll(() => field('A line for each').inputValue()).toBe('name')
    await field('A line for each').selectOption('–')
    await page.locator('.chart-bar summary').click()
    await page.getByRole('checkbox', { name: 'square' }).check()
    await page.keyboard.press('Escape')
    await expect.poll(() => shown(page.locator('.legend .entries'))).toMatch(/^n\s+23\s+square\s+529$/)
    await web.look(page, 'sql-chart-gap')
    await page.locator('.menu summary').click()
    await page.locator('.menu .panel').getByRole('button', { name: 'Table', exact: true }).click()
    const rows = page.getByRole('region', { name: /^Table/ }).getByRole('row')
    await expect.poll(() => rows.count()).toBe(25)
    expect((await rows.allInnerTexts()).filter((row) => /–\s+–$/.test(row))).toHaveLength(6)
    await field('Chart').selectOption('Points')
    await field('Across').selectOption('n')
    await page.getByRole('slider', { name: /by n: number$/ }).waitFor()
    await web.look(page, 'sql-points')
    expect(await violationsOf(page)).toEqual([])
    await field('Chart').selectOption('Bars')
    await page.getByRole('region', { name: 'n by n' }).waitFor()
    // The chosen chart stays for the next result with these columns.
    await page.keyboard.press('Escape')
    await editor(page).click()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('region', { name: 'n by n' }).waitFor()
  })

  it('gives the reason why several figures of one time are no line', async () => {
    const page = await open()
    await run(page, "SELECT toDateTime('2026-01-01', 'UTC') AS t, number AS n FROM numbers(3)")
    await expect.poll(() => shown(status(page))).toBe('3 rows')
    await button(page, 'Chart').click()
    await page.getByText(/^Several rows have the same t\./).waitFor()
  })

  it('is text after EXPLAIN and in a format without rows', async () => {
    const page = await open()
    await write(page, "SELECT count() FROM observations WHERE gpu_name = 'RTX 4090'")
    await button(page, 'Explain').click()
    const text = page.getByRole('region', { name: 'Result as text' })
    await expect.poll(() => shown(text)).toMatch(/PrimaryKey/)
    await web.look(page, 'sql-explain')
    await run(page, "SELECT 1 AS a, 'b' AS b FORMAT CSVWithNames")
    await expect.poll(() => shown(text)).toBe('"a","b"\n1,"b"')
  })

  it.each([
    ['TSV', 'tsv', /^n\n0\n1\n/],
    ['JSON', 'json', /"rows": 200000/],
    ['JSON lines', 'ndjson', /^\{"n":0\}\n/],
    ['Parquet', 'parquet', /^PAR1.*PAR1$/s],
    ['Arrow', 'arrow', /^ARROW1/],
  ] as const)('is downloaded as %s, all of it', async (...download) => {
    await expectDownload(await open(), download)
  })
})
