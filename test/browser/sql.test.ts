import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasAdHoc } from '../ad-hoc.ts'
import { hasBrowser, openSharedWeb, type VisitOptions, violationsOf, type Web } from '../browser.ts'
import { cells, openConsole, run, shown, status, write } from '../pages/sql.ts'

describe.skipIf(!(hasBrowser && hasAdHoc))('a statement in the SQL console', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())
  const open = (options: VisitOptions = {}, path?: string) => openConsole(web, options, path)

  it('runs with Ctrl+Enter, and its rows are there', async () => {
    const page = await open()
    await run(page, "SELECT number AS n, NULL AS nothing, [1, 2] AS list, 'a' AS text FROM numbers(2)")
    await expect.poll(() => shown(status(page))).toBe('2 rows')
    await expect.poll(() => cells(page)).toEqual(['0', 'NULL', '[1,2]', 'a', '1', 'NULL', '[1,2]', 'a'])
    await expect
      .poll(() => page.getByRole('columnheader').allInnerTexts())
      .toEqual(['n\nUInt64', 'nothing\nNullable(Nothing)', 'list\nArray(UInt8)', 'text\nString'])
    await web.look(page, 'sql-result')
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
  })

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
  })
})
