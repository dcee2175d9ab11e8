import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasAdHoc } from '../ad-hoc.ts'
import { hasBrowser, openSharedWeb, type VisitOptions, violationsOf, type Web } from '../browser.ts'
import { button, cells, editor, openConsole, run, shown, status, write } from '../pages/sql.ts'

describe.skipIf(!(hasBrowser && hasAdHoc))('a statement in the SQL console', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())
  const open = (options: VisitOptions = {}, path?: string) => openConsole(web, options, path)

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
    // A word that is both a keyword and a function or type is listed once.
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
  })
})

describe.skipIf(!(hasBrowser && hasAdHoc))('an error in the SQL console', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())
  const open = (options: VisitOptions = {}, path?: string) => openConsole(web, options, path)

  it('is marked at its position, and the cursor goes there', async () => {
    const page = await open()
    // The failing statement follows two statements and letters of several bytes.
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
  })
})
