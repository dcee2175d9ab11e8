import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { hasAdHoc } from '../ad-hoc.ts'
import { hasBrowser, openWeb, type VisitOptions, violationsOf, type Web } from '../browser.ts'
import { button, editor, openConsole, run, shown, status, write } from '../pages/sql.ts'

describe.skipIf(!(hasBrowser && hasAdHoc))('dashboards', () => {
  let web: Web
  beforeAll(async () => {
    web = await openWeb()
  })
  afterAll(() => web?.close())
  const open = (options: VisitOptions = {}, path?: string) => openConsole(web, options, path)

  it('are made in the console, run two at a time, and are shared and changed', async () => {
    const { key: second } = await createKeyFor(web.postgres, { role: 'admin' })
    const page = await open()
    page.on('dialog', (asked) => asked.accept())
    await page.getByRole('link', { name: 'Dashboards' }).click()
    await page.getByText('No dashboards yet').waitFor()
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
      .getByText(/wrong_again[\s\S]*console to fix it/)
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
    await page.getByText('No dashboards yet').waitFor()
    await page.goBack()
    await page.getByText('There is no such dashboard').waitFor()
  })

  it('are not for hosts', async () => {
    const page = await web.visit('dashboards', { key: web.hostKey })
    await page.getByRole('heading', { name: 'For admins' }).waitFor()
  })
})
