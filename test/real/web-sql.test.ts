import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { selectRows } from '../../platform/stores/clickhouse.ts'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { examples } from '../../web/sql/panels/examples.ts'
import {
  hasBrowser,
  openWeb,
  shiftOf,
  type VisitOptions,
  violationsOf,
  type Web,
  watchShift,
} from '../browser.ts'
import { doTask, type Task, type Way, ways } from '../hands.ts'
import { takeTurn, turnTimeout } from '../turns.ts'

const { analyst } = inject('engines').clickhouse
const canTest = hasBrowser && analyst !== undefined

let endTurn: () => Promise<void>
let web: Web
beforeAll(async () => {
  if (!canTest) return
  endTurn = await takeTurn()
  web = await openWeb()
}, turnTimeout)
afterAll(async () => {
  if (!canTest) return
  try {
    await web.close()
  } finally {
    await endTurn()
  }
})

/** Some 20 s on a core, within the limit of rows. */
const endless = 'SELECT count() FROM numbers(4900000000) WHERE sipHash64(number) = 1'

const open = async (options: VisitOptions = {}, path = 'sql') => {
  const page = await web.visit(path, {
    key: web.adminKey,
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  })
  await editor(page).waitFor()
  return page
}
const editor = (page: Page) => page.getByRole('textbox', { name: 'SQL statement' })
const write = async (page: Page, text: string) => {
  await editor(page).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
}
const run = async (page: Page, text: string) => {
  await write(page, text)
  await page.keyboard.press('Control+Enter')
}
/** Text as it's seen, with its line breaks. */
const shown = (locator: Locator) => locator.innerText()
const status = (page: Page) => page.getByRole('status')
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
/** Sees what runs where ad hoc SQL runs. */
const operator = () => {
  if (!web.adHoc) throw new Error('no ad hoc SQL')
  return web.adHoc.operator
}
const cells = (page: Page) => page.getByRole('gridcell').allInnerTexts()
const clipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')
const tab = async (page: Page, name: string) => {
  await page.getByRole('tab', { name }).click()
  return page.getByRole('tabpanel', { name })
}

/** What runs in ClickHouse by the account for ad hoc SQL, in this database. */
const running = () =>
  selectRows<{ query: string }>(
    operator(),
    `SELECT query FROM system.processes WHERE user = '${analyst?.username}' AND current_database = currentDatabase()`,
  )
const begun = () => vi.waitFor(async () => expect(await running()).toHaveLength(1), { timeout: 120_000 })
const idle = () => vi.waitFor(async () => expect(await running()).toEqual([]), { timeout: 120_000 })

describe.skipIf(!canTest)('a statement', () => {
  it('runs with Ctrl+Enter, and its rows are there', async () => {
    const page = await open()
    await run(page, "SELECT number AS n, NULL AS nothing, [1, 2] AS list, 'a' AS text FROM numbers(2)")
    await expect.poll(() => shown(status(page))).toBe('2 rows')
    await expect.poll(() => cells(page)).toEqual(['0', 'NULL', '[1,2]', 'a', '1', 'NULL', '[1,2]', 'a'])
    await expect
      .poll(() => page.getByRole('columnheader').allInnerTexts())
      .toEqual(['n\nUInt64', 'nothing\nNullable(Nothing)', 'list\nArray(UInt8)', 'text\nString'])
    await web.look(page, 'sql-result')
    await page.close()
  })

  it('is what is selected, or what the cursor is in', async () => {
    const page = await open()
    await write(page, "SELECT 'one; 1';\n\nSELECT 'two' -- ;\n;\nSELECT 'three'")
    const expectCell = async (text: string) => {
      await page.keyboard.press('Control+Enter')
      await page.getByRole('gridcell', { name: text, exact: true }).waitFor()
    }
    await expectCell('three')
    await page.keyboard.press('Control+Home')
    await expectCell('one; 1')
    await page.keyboard.press('End') // behind the semicolon
    await expectCell('one; 1')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expectCell('two')
    await write(page, "SELECT 'all' || ' of it'")
    await page.keyboard.press('Control+Home')
    for (let n = 0; n < "SELECT 'all'".length; n += 1) await page.keyboard.press('Shift+ArrowRight')
    await expectCell('all')
    await page.close()
  })

  it('tells what is no number from what is not there', async () => {
    const page = await open()
    await write(page, 'SELECT nan AS a, -inf AS b, NULL AS c')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => cells(page)).toEqual(['nan', '-inf', 'NULL'])
    await page.close()
  })

  it.each([
    ["['a', 'b']", 'a+b'],
    ['["c"]', 'c'],
  ])('takes %s for an array', async (given, result) => {
    const page = await open()
    await write(page, `SELECT arrayStringConcat({words:Array(String)}, '+') AS word`)
    await page.getByLabel('words Array(String)').fill(given)
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => cells(page)).toEqual([result])
    await page.close()
  })

  it.each(['row', 'progress', 'meta'])(
    'shows an answer in another format whose column is called %s',
    async (name) => {
      const page = await open()
      await write(page, `SELECT 'boo' AS ${name} FORMAT JSONEachRow`)
      await page.keyboard.press('Control+Enter')
      await page.getByText(`{"${name}":"boo"}`).waitFor()
      await page.context().close()
    },
  )

  it('takes its parameters from fields', async () => {
    const page = await open()
    await write(
      page,
      "SELECT {gpu:String} AS gpu, {n : Nullable(UInt8)} AS n, '{no:String}' AS text; SELECT {b:String}",
    )
    await expect.poll(() => shown(page.getByRole('group', { name: 'Parameters' }))).toMatch(/^b/)
    await page.keyboard.press('Control+Home')
    await page.getByLabel('gpu String').fill("RTX 4090 'x'")
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => cells(page)).toEqual(["RTX 4090 'x'", 'NULL', '{no:String}'])
    await page.close()
  })

  it('asks for a value that it cannot do without, before anything is sent', async () => {
    const page = await open()
    await write(page, 'SELECT {text:String} AS text, {n:UInt8} AS n, {m:UInt8} AS m')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('alert').getByText('Give n a value of the type UInt8.').waitFor()
    const asked = () => page.evaluate('document.activeElement.getAttribute("aria-invalid")')
    await expect.poll(asked).toBe('true')
    await web.look(page, 'sql-missing')
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.type('7')
    await page.getByText('Give m a value of the type UInt8.').waitFor()
    await page.keyboard.press('Control+Enter')
    await expect.poll(asked).toBe('true')
    await page.keyboard.type('8')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => cells(page)).toEqual(['', '7', '8'])
    const { body } = await web.send('GET', '/api/v0/metrics/sql/queries?mine=true', web.adminKey)
    expect((body as { query: string }[]).filter(({ query }) => query.includes('{m:UInt8}'))).toHaveLength(1)
    await page.close()
  })

  it('is formatted, and the formatter is loaded only then', async () => {
    const page = await open()
    const loaded: string[] = []
    page.on('response', (response) => loaded.push(response.url()))
    await write(page, "SELECT 1; select a,'b  c' from (select 1 as a)")
    await button(page, 'Format').click()
    await expect
      .poll(() => shown(editor(page)))
      .toBe("SELECT 1; select\n  a,\n  'b  c'\nfrom\n  (\n    select\n      1 as a\n  )")
    expect(loaded.some((url) => url.includes('/assets/formatting-'))).toBe(true)
    await editor(page).press('Control+z')
    await expect.poll(() => shown(editor(page))).toMatch(/^SELECT 1; select a,/)
    await write(page, "SELECT 'open")
    await button(page, 'Format').click()
    await page.getByRole('alert').getByText('cannot be laid out').waitFor()
    await page.close()
  })

  it('is one of several, each in a tab with its text, undo and result', async () => {
    const page = await open()
    const titles = () =>
      page.getByRole('tablist', { name: 'Queries', exact: true }).getByRole('tab').allInnerTexts()
    await run(page, "SELECT 'first'")
    await expect.poll(() => cells(page)).toEqual(['first'])
    await button(page, 'New query').click()
    await expect.poll(() => cells(page)).toEqual([])
    await page.keyboard.type('-- Second')
    await page.keyboard.press('Enter')
    await page.keyboard.type('SELECT {w:String} AS w')
    await page.getByLabel('w String').fill('kept')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => cells(page)).toEqual(['kept'])
    await expect.poll(titles).toEqual(["SELECT 'first'", 'Second'])
    await web.look(page, 'sql-tabs')
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('Alt+PageDown')
    await expect.poll(() => shown(editor(page))).toBe("SELECT 'first'")
    await expect.poll(() => cells(page)).toEqual(['first'])
    await editor(page).press('Control+z')
    await expect.poll(() => shown(editor(page))).not.toBe("SELECT 'first'")
    await editor(page).press('Control+y')
    await page.reload()
    await editor(page).waitFor()
    await expect.poll(titles).toEqual(["SELECT 'first'", 'Second'])
    await page.getByRole('tab', { name: "SELECT 'first'" }).press('ArrowRight')
    await expect.poll(() => page.getByLabel('w String').inputValue()).toBe('kept')
    await page.keyboard.press('Alt+KeyW')
    await expect.poll(titles).toEqual(["SELECT 'first'"])
    for (let n = 0; n < 9; n += 1) await page.keyboard.press('Alt+KeyN')
    await expect.poll(() => button(page, 'New query').isDisabled()).toBe(true)
    for (let n = 0; n < 10; n += 1) await button(page, 'Close the query').click()
    await expect.poll(titles).toEqual(['Empty'])
    await page.close()
  })

  it('is completed with tables, columns and functions of this engine', async () => {
    const page = await open()
    const expectOptions = async (text: string, expected: RegExp) => {
      await write(page, text)
      await page.keyboard.press('Control+Space')
      const list = page.getByRole('listbox', { name: 'Completions' })
      const found = async () => (await list.getByRole('option').allInnerTexts()).join('\n')
      await expect.poll(found).toMatch(expected)
      const all = await found()
      await page.keyboard.press('Escape')
      await list.waitFor({ state: 'detached' })
      return all
    }
    await page.getByText('rows', { exact: false }).first().waitFor() // the schema is there
    await expectOptions('SELECT hosting_t', /^hosting_type/)
    await expectOptions('SELECT 1 FROM observ', /^observations/)
    await expectOptions('SELECT quantileExactWei', /^quantileExactWeighted/)
    await expectOptions('SELECT o.dlp FROM observations AS o', /./)
    // What is a keyword and a function, or a type as well, is there once.
    for (const word of ['an', 'dat']) {
      const found = await expectOptions(`SELECT ${word}`, new RegExp(`^${word}[de]\\b`, 'im'))
      const labels = found.split('\n').map((label) => label.toLowerCase())
      expect(labels.filter((label) => label === `${word}d` || label === `${word}e`)).toHaveLength(1)
    }
    // Known values of a column.
    await write(page, "SELECT 1 FROM observations WHERE gpu_name IN ('RTX 40")
    await page.keyboard.press('Control+Space')
    await page.getByRole('option', { name: 'RTX 4090', exact: true }).waitFor()
    await page.waitForTimeout(100)
    await page.keyboard.press('Tab')
    await expect.poll(() => shown(editor(page))).toMatch(/IN \('RTX 40\d\d/)
    await write(page, "SELECT 1 FROM observations WHERE hosting_type = 'sec")
    await page.keyboard.press('Control+Space')
    await page.getByRole('option', { name: 'secure_cloud' }).waitFor()
    // The list does not stay when the statement runs.
    await page.keyboard.press('Control+Enter')
    await page.getByRole('listbox', { name: 'Completions' }).waitFor({ state: 'detached' })
    await write(page, 'SELECT gpu_na')
    await page.keyboard.press('Control+Space')
    await page.getByRole('option', { name: /gpu_name/ }).waitFor()
    await web.look(page, 'sql-completion')
    await page.waitForTimeout(100) // a completion that has just opened takes no key for 75 ms
    await page.keyboard.press('Tab')
    await expect.poll(() => shown(editor(page))).toBe('SELECT gpu_name')
    // With nothing to complete, Tab leaves the editor.
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toMatch(/^Run/)
    await page.close()
  })
})

describe.skipIf(!canTest)('an error', () => {
  it('is marked at its position, and the cursor goes there', async () => {
    const page = await open()
    // Two statements and letters of several bytes before it.
    await run(page, "SELECT 1;\nSELECT 'é€😀',,\n  wrong")
    const alert = page.getByRole('alert')
    await alert.waitFor()
    await expect.poll(() => shown(alert)).toMatch(/^Syntax error/)
    await expect.poll(() => shown(page.locator('.cm-lintRange-error'))).toBe('wrong')
    await web.look(page, 'sql-error')
    await button(page, 'Go to the error').click()
    await page.keyboard.insertText('2')
    await expect.poll(() => shown(editor(page))).toBe("SELECT 1;\nSELECT 'é€😀',,\n  2")
    await run(page, 'SELECT nothing_like_it FROM observations')
    await expect.poll(() => page.locator('.cm-lintRange-error').allInnerTexts()).toEqual(['nothing_like_it'])
    await run(page, 'SELECT 1')
    await expect.poll(() => shown(status(page))).toBe('1 row')
    await expect.poll(() => page.locator('.cm-lintRange-error').count()).toBe(0)
    await page.close()
  })

  it('half way keeps the rows that came', async () => {
    const page = await open()
    await run(
      page,
      "SELECT number, throwIf(number = 900000, 'late') FROM numbers(1000000) WHERE number % 1000 = 0 OR number = 900000",
    )
    await expect.poll(() => shown(status(page))).toMatch(/^Failed/)
    await expect.poll(() => shown(page.getByRole('alert'))).toMatch(/^late/)
    await page.close()
  })

  it('of a service that goes away is told, and the next query runs', async () => {
    const page = await open()
    await run(page, endless)
    await begun()
    await expect.poll(() => shown(page.getByText(/rows read/))).toMatch(/of 4\.9B/)
    web.app.server.closeAllConnections()
    await expect.poll(() => shown(page.getByRole('alert'))).toMatch(/was lost/)
    await idle()
    await run(page, 'SELECT 7 AS seven')
    await expect.poll(() => cells(page)).toEqual(['7'])
    await page.close()
  })
})

describe.skipIf(!canTest)('a long query', () => {
  it('shows progress, and Cancel ends it in ClickHouse', async () => {
    const page = await open()
    await run(page, endless)
    await begun()
    const bar = page.getByRole('progressbar', { name: 'Rows read' })
    await expect.poll(async () => Number(await bar.getAttribute('value'))).toBeGreaterThan(0)
    await expect.poll(() => bar.getAttribute('max')).toBe('4900000000')
    await web.look(page, 'sql-progress')
    await button(page, 'Cancel').click()
    await expect.poll(() => shown(status(page))).toBe('Cancelled')
    await idle()
    await page.close()
  })

  it.each(['closing the tab', 'leaving the page', 'another query'])('%s ends it', async (how) => {
    const page = await open()
    await run(page, endless)
    await begun()
    if (how === 'closing the tab') await page.close()
    else if (how === 'leaving the page') await page.getByRole('link', { name: 'Market' }).click()
    else await run(page, 'SELECT 1')
    await idle()
    await page.close()
  })
})

describe.skipIf(!canTest)('a result', () => {
  it('of 100,000 rows scrolls, and ends there', async () => {
    const page = await open()
    await run(page, 'SELECT number AS n, number * 2 AS twice FROM numbers(5000000)')
    await expect.poll(() => shown(status(page))).toMatch(/^The first 100,000 rows/)
    await idle()
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
    await page.close()
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
    await page.close()
  })

  it('is copied: a cell, or all of it', async () => {
    const page = await open()
    await run(page, "SELECT * FROM values('a UInt8, b Nullable(String)', (1, 'x\\ty'), (2, NULL))")
    await page.getByRole('gridcell', { name: '2', exact: true }).click()
    await page.keyboard.press('Control+c')
    await expect.poll(() => clipboard(page)).toBe('2')
    await button(page, 'Copy all').click()
    await expect.poll(() => clipboard(page)).toBe('a\tb\n1\t"x\ty"\n2\t')
    await page.close()
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
    await page.close()
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
    // What was chosen stays for the next result with these columns.
    await page.keyboard.press('Escape')
    await editor(page).click()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('region', { name: 'n by n' }).waitFor()
    await page.close()
  })

  it('says why several figures of one time are not a line', async () => {
    const page = await open()
    await run(page, "SELECT toDateTime('2026-01-01', 'UTC') AS t, number AS n FROM numbers(3)")
    await expect.poll(() => shown(status(page))).toBe('3 rows')
    await button(page, 'Chart').click()
    await page.getByText(/^Several rows have the same t\./).waitFor()
    await page.close()
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
    await page.close()
  })

  it('of EXPLAIN, or in a format of its own, is text', async () => {
    const page = await open()
    await write(page, "SELECT count() FROM observations WHERE gpu_name = 'RTX 4090'")
    await button(page, 'Explain').click()
    const text = page.getByRole('region', { name: 'Result as text' })
    await expect.poll(() => shown(text)).toMatch(/PrimaryKey/)
    await web.look(page, 'sql-explain')
    await run(page, "SELECT 1 AS a, 'b' AS b FORMAT CSVWithNames")
    await expect.poll(() => shown(text)).toBe('"a","b"\n1,"b"')
    await page.close()
  })

  it.each([
    ['CSV', 'csv', /^"n"\n0\n1\n/],
    ['TSV', 'tsv', /^n\n0\n1\n/],
    ['JSON', 'json', /"rows": 200000/],
    ['JSON lines', 'ndjson', /^\{"n":0\}\n/],
    ['Parquet', 'parquet', /^PAR1.*PAR1$/s],
    ['Arrow', 'arrow', /^ARROW1/],
  ])('is downloaded as %s, all of it', async (format, extension, content) => {
    const page = await open()
    await run(page, 'SELECT number AS n FROM numbers({many:UInt32}) ORDER BY n')
    await page.getByLabel('many UInt32').fill('200000')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => shown(status(page))).toMatch(/^The first/)
    await page.getByRole('combobox', { name: 'Format of the download' }).selectOption(format)
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download').click()])
    expect(download.suggestedFilename()).toMatch(new RegExp(`^rackrate-[0-9T-]+\\.${extension}$`))
    expect(download.url()).not.toContain('rr_')
    const file = await readFile(await download.path(), 'latin1')
    expect(file.slice(0, 1000) + file.slice(-1000)).toMatch(content)
    // It is used up.
    expect((await fetch(download.url())).status).toBe(404)
    await page.close()
  })
})

describe.skipIf(!canTest)('beside the editor', () => {
  it('tables, their columns and sample rows', async () => {
    const page = await open()
    const panel = await tab(page, 'Schema')
    await panel.getByText('GPU type, as in RTX 4090').waitFor()
    await write(page, 'SELECT ')
    await panel
      .getByRole('button', { name: /^gpu_name/ })
      .first()
      .click()
    await expect.poll(() => shown(editor(page))).toBe('SELECT gpu_name')
    await panel.getByRole('button', { name: 'Sample rows of observations' }).click()
    await expect.poll(() => shown(status(page))).toBe('20 rows')
    await expect.poll(() => shown(editor(page))).toBe('SELECT gpu_name')
    await page.close()
  })

  it.each(examples.map((example) => [example.title, example] as const))(
    'the example “%s” runs',
    async (_title, { query, values = {} }) => {
      const { status: answered, body } = await web.send('POST', '/api/v0/metrics/sql', web.adminKey, {
        query,
        params: values,
      })
      expect(answered, JSON.stringify(body)).toBe(200)
      expect((body as { rows: number }).rows).toBeGreaterThan(0)
    },
  )

  it('the share of time under a price is of all snapshots, with offers or without', async () => {
    const { query = '' } = examples.find(({ title }) => title === 'Share of time under a price') ?? {}
    const { body } = await web.send('POST', '/api/v0/metrics/sql', web.adminKey, {
      query,
      params: { usd: '1000' },
    })
    const shares = (body as { data: { gpu_name: string; share_of_time: number }[] }).data
    const offered = await selectRows<{ gpu_name: string; slots: number }>(
      web.clickhouse,
      'SELECT gpu_name, uniqExact(slot) AS slots FROM observations WHERE NOT rented AND slot > now() - INTERVAL 7 DAY GROUP BY gpu_name',
    )
    const week = await selectRows<{ slots: number }>(
      web.clickhouse,
      'SELECT uniqExact(slot) AS slots FROM slots WHERE ready AND slot > now() - INTERVAL 7 DAY',
    )
    const all = week[0]?.slots ?? 0
    const expected = offered.map(({ gpu_name, slots }) => [gpu_name, Math.round((slots / all) * 1e4) / 1e4])
    expect(Object.fromEntries(shares.map((row) => [row.gpu_name, row.share_of_time]))).toEqual(
      Object.fromEntries(expected),
    )
    expect(Math.min(...offered.map(({ slots }) => slots))).toBeLessThan(all)
  })

  it('an example is put into the editor with its values, and undone', async () => {
    const page = await open()
    await write(page, 'SELECT 1')
    const panel = await tab(page, 'Examples')
    await panel.getByRole('button', { name: 'Price by rig size' }).click()
    await expect.poll(() => page.getByLabel('gpu String').inputValue()).toBe('RTX 4090')
    expect(await page.getByRole('gridcell').count()).toBe(0)
    await web.look(page, 'sql-examples')
    await editor(page).press('Control+z')
    await expect.poll(() => shown(editor(page))).toBe('SELECT 1')
    await page.close()
  })

  it('queries are saved, shared with other admins, and deleted', async () => {
    const { key: second } = await createKeyFor(web.postgres, { role: 'admin' })
    const page = await open()
    const save = async (name: string, shared: boolean) => {
      await button(page, 'Save…').click()
      const dialog = page.getByRole('dialog', { name: 'Save this query' })
      await dialog.getByLabel('Name').fill(name)
      await dialog.getByLabel('Share with all admins').setChecked(shared)
      if (shared) await web.look(page, 'sql-save')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'hidden' })
    }
    await write(page, "SELECT 'kept'")
    await save('for me', false)
    await save('for all', true)
    const saved = await tab(page, 'Saved')
    await expect
      .poll(() => saved.getByRole('listitem').allInnerTexts())
      .toEqual([expect.stringMatching(/^for all\s+Yours, shared/), expect.stringMatching(/^for me\s+Yours/)])
    await write(page, 'SELECT 0')
    await saved.getByRole('button', { name: 'for me', exact: true }).click()
    await expect.poll(() => shown(editor(page))).toBe("SELECT 'kept'")

    const other = await open({ key: second })
    const theirs = await tab(other, 'Saved')
    await expect
      .poll(() => theirs.getByRole('listitem').allInnerTexts())
      .toEqual([expect.stringMatching(/^for all\s+Shared by/)])
    await other.close()

    page.on('dialog', (asked) => asked.accept())
    await saved.getByRole('button', { name: 'Delete for all' }).click()
    await expect.poll(() => saved.getByRole('listitem').count()).toBe(1)
    await page.close()
  })

  it('what one ran is put back, and what others ran is seen', async () => {
    const { key: second } = await createKeyFor(web.postgres, { role: 'admin' })
    const page = await open({ key: second })
    await write(page, 'SELECT {word:String} AS word, count() FROM observations')
    await page.getByLabel('word String').fill('remembered')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => shown(status(page))).toBe('1 row')
    await run(page, 'SELECT unknown_name')
    await page.getByRole('alert').waitFor()
    const history = await tab(page, 'History')
    await expect.poll(() => history.getByRole('listitem').count()).toBe(2)
    await page.reload()
    await (await tab(page, 'History')).getByRole('button', { name: /remembered|word:String/ }).click()
    await expect.poll(() => page.getByLabel('word String').inputValue()).toBe('remembered')
    await web.look(page, 'sql-history')

    const other = await open()
    const activity = await tab(other, 'Activity')
    const failed = activity.getByRole('row', { name: /unknown_name/ })
    await expect.poll(() => shown(failed.first())).toMatch(/failed/)
    const done = activity.getByRole('row', { name: /word:String/ })
    await expect
      .poll(async () => {
        await activity.getByRole('button', { name: 'Refresh' }).click()
        return shown(done.first())
      })
      .toMatch(/done[\s\S]*\d ms/)
    await web.look(other, 'sql-activity')
    await other.close()
    await page.close()
  })
})

describe.skipIf(!canTest)('dashboards', () => {
  it('are made in the console, run two at a time, and are shared and changed', async () => {
    const { key: second } = await createKeyFor(web.postgres, { role: 'admin' })
    const page = await open()
    page.on('dialog', (asked) => asked.accept())
    await page.getByRole('link', { name: 'Dashboards' }).click()
    await page.getByText('No dashboards yet.').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'dashboards-empty')
    await page.getByRole('main').getByRole('link', { name: 'console' }).click()

    const add = async (board: string, panel: string) => {
      await button(page, 'Add to a dashboard…').click()
      const dialog = page.getByRole('dialog', { name: 'Add to a dashboard' })
      const boards = dialog.getByRole('combobox', { name: 'Dashboard' })
      if ((await boards.locator('option').allTextContents()).includes(board)) await boards.selectOption(board)
      else await dialog.getByLabel('Name of the dashboard').fill(board)
      await dialog.getByLabel('Name of the result').fill(panel)
      await dialog.getByRole('button', { name: 'Add', exact: true }).click()
      await dialog.getByText('Added.').waitFor()
      if (panel === 'By hour') await web.look(page, 'dashboards-add')
      await dialog.getByRole('button', { name: 'Close' }).click()
    }
    await write(page, 'SELECT {n:UInt8} AS n, count() AS rows FROM numbers(3)')
    await page.getByLabel('n UInt8').fill('7')
    await add('Morning', 'Rows')
    await run(
      page,
      "SELECT toDateTime('2026-01-01', 'UTC') + number * 3600 AS hour, number AS n FROM numbers(24) WHERE number <> 12",
    )
    await expect.poll(() => shown(status(page))).toBe('23 rows')
    await button(page, 'Chart').click()
    await add('Morning', 'By hour')
    await button(page, 'Table').click()
    await run(page, 'SELECT nothing_like_it')
    await page.getByRole('alert').waitFor()
    await add('Morning', 'Wrong')
    await run(page, "SELECT 'replaced' AS word")
    await add('Morning', 'Wrong')
    await run(page, 'SELECT wrong_again')
    await add('Morning', 'Broken')
    await button(page, 'Add to a dashboard…').click()
    const before = (await page.evaluate<string>('location.href')) ?? ''
    await page.keyboard.press('Escape')
    expect(before).toMatch(/\/sql$/)
    await page.getByRole('link', { name: 'Dashboards' }).click()
    await page.getByRole('link', { name: 'Morning' }).click()

    const panel = (within: Page, name: string) => within.getByRole('region', { name, exact: true })
    await expect.poll(() => shown(panel(page, 'Rows'))).toMatch(/1 row at[\s\S]*n\s+rows\s+7\s+3/)
    await panel(page, 'By hour').getByRole('slider').waitFor()
    await expect.poll(() => shown(panel(page, 'Wrong'))).toMatch(/replaced/)
    await panel(page, 'Broken')
      .getByRole('alert')
      .getByText(/wrong_again[\s\S]*console to mend it/)
      .waitFor()
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'dashboards-board')
    // Another admin follows the link, and opens a statement with its values.
    const other = await web.visit(new URL(page.url()).pathname.slice(1) + new URL(page.url()).search, {
      key: second,
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    })
    await expect.poll(() => shown(panel(other, 'Rows'))).toMatch(/1 row at/)
    await panel(other, 'By hour').getByRole('slider').waitFor()
    const overflow = () => other.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    await expect.poll(overflow).toBeLessThanOrEqual(0)
    expect(await violationsOf(other)).toEqual([])
    await web.look(other, 'dashboards-phone')
    await other.getByRole('link', { name: 'Open in the console: Rows' }).click()
    await expect.poll(() => other.getByLabel('n UInt8').inputValue()).toBe('7')
    await expect.poll(() => shown(editor(other))).toMatch(/^SELECT \{n:UInt8\}/)

    // Every run is in the audit, under who ran it.
    const { body } = await web.send('GET', '/api/v0/metrics/sql/queries?mine=true', second)
    expect((body as { query: string }[]).filter(({ query }) => query.includes('{n:UInt8}'))).toHaveLength(1)

    await button(page, 'Change').click()
    await page.getByRole('button', { name: 'Move up: By hour' }).click()
    await page.getByRole('button', { name: 'Remove: Broken' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Evening')
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'dashboards-change')
    await button(page, 'Save').click()
    await page.getByRole('heading', { name: 'Evening' }).waitFor()
    await expect
      .poll(() => page.getByRole('heading', { level: 2 }).allInnerTexts())
      .toEqual(['By hour', 'Rows', 'Wrong'])
    await button(page, 'Delete').click()
    await page.getByText('No dashboards yet.').waitFor()
    await page.goBack()
    await page.getByText('There is no such dashboard').waitFor()
    await other.close()
    await page.close()
  })

  it.each(Object.keys(ways) as Way[])('take a saved query in few steps, by %s', async (way) => {
    const name = `Rows, by ${way}`
    await web.send('POST', '/api/v0/metrics/sql/saved', web.adminKey, {
      name,
      query: `SELECT count() AS n, '${way}' AS way FROM observations`,
      shared: false,
    })
    const task: Task = {
      title: 'Put a saved query on a dashboard',
      start: 'sql',
      most: { mouse: 6, keyboard: 12, phone: 7 },
      async steps({ page, press, type, openTab }) {
        if (way === 'phone') await press(button(page, 'Schema, examples, history'))
        await openTab('Saved')
        await press(button(page, name))
        await press(page.getByRole('button', { name: /^Run/ }))
        await expect.poll(() => shown(status(page))).toBe('1 row')
        await press(button(page, 'Add to a dashboard…'))
        await type(page.getByLabel('Name of the dashboard'), `Mine, by ${way}`)
        await press(page.getByRole('link', { name: 'Open the dashboard' }))
      },
      sees: (page) =>
        expect.poll(() => shown(page.getByRole('region', { name, exact: true }))).toMatch(/1 row at/),
    }
    const page = await open(ways[way], task.start)
    await doTask(task, way, page)
    await page.close()
  })

  it('never run more than two statements at once, and leaving ends them', async () => {
    const panels = Array.from({ length: 4 }, (_, n) => ({
      name: `slow ${n}`,
      query: `${endless} + ${n} * 0`,
    }))
    const { body } = await web.send('POST', '/api/v0/metrics/sql/dashboards', web.adminKey, {
      name: 'slow',
      panels,
    })
    const page = await web.visit(`dashboards?id=${(body as { id: number }).id}`, { key: web.adminKey })
    await vi.waitFor(async () => expect(await running()).toHaveLength(2), { timeout: 120_000 })
    await expect.poll(() => page.getByText('Waiting for its turn').count()).toBe(2)
    await web.look(page, 'dashboards-waiting')
    expect(await running()).toHaveLength(2)
    await page.getByRole('link', { name: 'All dashboards' }).click()
    await idle()
    await page.close()
  })

  it('are not for hosts', async () => {
    const page = await web.visit('dashboards', { key: web.hostKey })
    await page.getByRole('heading', { name: 'For admins' }).waitFor()
    await page.close()
  })
})

describe.skipIf(!canTest)('the page', () => {
  it('keeps what is being written, and links to it without running it', async () => {
    const page = await open()
    await write(page, "SELECT 'kept & 100%'")
    await page.reload()
    await expect.poll(() => shown(editor(page))).toBe("SELECT 'kept & 100%'")
    await button(page, 'Copy link').click()
    await expect.poll(() => clipboard(page)).toMatch(/\/sql#q=SELECT%20/)
    const link = await clipboard(page)
    await page.close()
    const other = await open({}, link)
    await expect.poll(() => shown(editor(other))).toBe("SELECT 'kept & 100%'")
    expect(other.url()).toMatch(/\/sql$/)
    expect(
      await page
        .getByRole('gridcell')
        .count()
        .catch(() => 0),
    ).toBe(0)
    expect(await running()).toEqual([])
    // The same while the console is open.
    await write(other, 'SELECT 1')
    await other.evaluate(`location.hash = 'q=SELECT%202'`)
    await expect.poll(() => shown(editor(other))).toBe('SELECT 2')
    await other.close()
  })

  it('is not for hosts', async () => {
    const page = await web.visit('sql', { key: web.hostKey })
    await page.getByRole('heading', { name: 'For admins' }).waitFor()
    expect(await page.getByRole('link', { name: 'SQL' }).count()).toBe(0)
    await page.close()
  })

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
    await page.close()
  })

  it('moves nothing once it is painted, nor do dashboards', async () => {
    const byName = 'SELECT gpu_name, sum(gpus) AS all_gpus FROM observations GROUP BY gpu_name LIMIT 8'
    const panels = ['line', 'bars', undefined].map((kind) => ({
      name: `by name: ${kind ?? 'table'}`,
      query: byName,
      ...(kind && { chart: { kind, x: 'gpu_name', y: ['all_gpus'] } }),
    }))
    const ids: number[] = []
    for (let n = 0; n < 8; n += 1) {
      const body = { name: `board ${n}`, panels }
      const made = await web.send('POST', '/api/v0/metrics/sql/dashboards', web.adminKey, body)
      ids.push((made.body as { id: number }).id)
    }
    for (const [path, shows] of [
      ['sql', 'details.table'],
      ['dashboards', '.boards'],
      [`dashboards?id=${ids[0]}`, '.board-panel:last-child table'],
      ['docs', '.content[aria-busy=false] h1'],
      ['docs?operation=getGpuHistory', '.try'],
    ] as const)
      for (const options of [{}, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }]) {
        const page = await web.visit('', { key: web.adminKey, ...options })
        await watchShift(page)
        await page.goto(`${web.url}${path}`)
        // On a phone the schema is closed.
        await page
          .locator(path === 'sql' && 'isMobile' in options ? '.editor' : shows)
          .first()
          .waitFor()
        await page.locator('.age time').waitFor()
        expect(await shiftOf(page), `${path} ${JSON.stringify(options)}`).toBeLessThanOrEqual(0.02)
        await page.context().close()
      }
    for (const id of ids) await web.send('DELETE', `/api/v0/metrics/sql/dashboards/${id}`, web.adminKey)
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
    await page.close()
  })
})
