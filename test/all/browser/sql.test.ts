import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { begun, endless, hasAdHoc, idle } from '../../ad-hoc.ts'
import { hasBrowser, openWeb, type VisitOptions, type Web } from '../../browser.ts'
import { button, cells, editor, openConsole, run, shown, status, write } from '../../pages/sql.ts'

describe.skipIf(!(hasBrowser && hasAdHoc))('a statement in the SQL console', () => {
  let web: Web
  beforeAll(async () => {
    web = await openWeb()
  })
  afterAll(() => web?.close())
  const open = (options: VisitOptions = {}, path?: string) => openConsole(web, options, path)

  it('distinguishes NaN from a missing value', async () => {
    const page = await open()
    await write(page, 'SELECT nan AS a, -inf AS b, NULL AS c')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => cells(page)).toEqual(['nan', '-inf', 'NULL'])
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
  })

  it.each(['row', 'progress', 'meta'])(
    'shows an answer in another format whose column is called %s',
    async (name) => {
      const page = await open()
      await write(page, `SELECT 'boo' AS ${name} FORMAT JSONEachRow`)
      await page.keyboard.press('Control+Enter')
      await page.getByText(`{"${name}":"boo"}`).waitFor()
    },
  )

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
    await page.getByRole('alert').getByText('cannot be formatted').waitFor()
  })
})

describe.skipIf(!(hasBrowser && hasAdHoc))('a query that fails in the SQL console', () => {
  let web: Web
  beforeAll(async () => {
    web = await openWeb()
  })
  afterAll(() => web?.close())
  const open = (options: VisitOptions = {}, path?: string) => openConsole(web, options, path)

  it('half way keeps the rows that came before', async () => {
    const page = await open()
    await run(
      page,
      "SELECT number, throwIf(number = 900000, 'late') FROM numbers(1000000) WHERE number % 1000 = 0 OR number = 900000",
    )
    await expect.poll(() => shown(status(page))).toMatch(/^Failed/)
    await expect.poll(() => shown(page.getByRole('alert'))).toMatch(/^late/)
  })
})

describe.skipIf(!(hasBrowser && hasAdHoc))('a long query in the SQL console', () => {
  let web: Web
  beforeAll(async () => {
    web = await openWeb()
  })
  afterAll(() => web?.close())
  const open = (options: VisitOptions = {}, path?: string) => openConsole(web, options, path)

  it.each(['closing the tab', 'leaving the page', 'another query'])('ends by %s', async (how) => {
    const page = await open()
    await run(page, endless)
    await begun(web)
    if (how === 'closing the tab') await page.close()
    else if (how === 'leaving the page') await page.getByRole('link', { name: 'Market' }).click()
    else await run(page, 'SELECT 1')
    await idle(web)
  })
})
