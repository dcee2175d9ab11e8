import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { VisitOptions, Web } from '../browser.ts'

export async function openConsole(web: Web, options: VisitOptions = {}, path = 'sql'): Promise<Page> {
  const page = await web.visit(path, {
    key: web.adminKey,
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  })
  await editor(page).waitFor()
  return page
}

export const editor = (page: Page) => page.getByRole('textbox', { name: 'SQL statement' })

export async function write(page: Page, text: string): Promise<void> {
  await editor(page).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
}

export async function run(page: Page, text: string): Promise<void> {
  await write(page, text)
  await page.keyboard.press('Control+Enter')
}

/** Text as it's seen, with its line breaks. */
export const shown = (locator: Locator) => locator.innerText()
export const status = (page: Page) => page.getByRole('status')
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
export const cells = (page: Page) => page.getByRole('gridcell').allInnerTexts()
export const clipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')

export async function tab(page: Page, name: string): Promise<Locator> {
  await page.getByRole('tab', { name }).click()
  return page.getByRole('tabpanel', { name })
}

/** Downloads a result of 200,000 rows of the numbers `n`. */
export async function expectDownload(
  page: Page,
  [format, extension, content]: readonly [string, string, RegExp],
): Promise<void> {
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
}
