import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { examples } from '../../web/sql/panels/examples.ts'
import { hasAdHoc, running } from '../ad-hoc.ts'
import { hasBrowser, openSharedWeb, type VisitOptions, type Web } from '../browser.ts'
import { button, clipboard, editor, openConsole, run, shown, status, tab, write } from '../pages/sql.ts'

describe.skipIf(!(hasBrowser && hasAdHoc))('the side bar of the SQL console', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())
  const open = (options: VisitOptions = {}, path?: string) => openConsole(web, options, path)

  it('lists tables with their columns, and shows sample rows', async () => {
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
  })

  it.each(examples.map((example) => [example.title, example] as const))(
    'offers the example “%s”, which runs',
    async (_title, { query, values = {} }) => {
      // The engine has the clock of the machine.
      const now = `toDateTime(${Math.floor(Date.now() / 1000)})`
      const { status: answered, body } = await web.send('POST', '/api/v0/metrics/sql', web.adminKey, {
        query: query.replaceAll('now()', now).replaceAll('today()', `toDate(${now})`),
        params: values,
      })
      expect(answered, JSON.stringify(body)).toBe(200)
      expect((body as { rows: number }).rows).toBeGreaterThan(0)
    },
  )

  it('puts an example into the editor with its values, and undoes it', async () => {
    const page = await open()
    await write(page, 'SELECT 1')
    const panel = await tab(page, 'Examples')
    await panel.getByRole('button', { name: 'Price by rig size' }).click()
    await expect.poll(() => page.getByLabel('gpu String').inputValue()).toBe('RTX 4090')
    expect(await page.getByRole('gridcell').count()).toBe(0)
    await web.look(page, 'sql-examples')
    await editor(page).press('Control+z')
    await expect.poll(() => shown(editor(page))).toBe('SELECT 1')
  })

  it('saves queries, shares them with other admins, and deletes them', async () => {
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
  })

  it('puts back what one ran, and shows what others ran', async () => {
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
  })
})

describe.skipIf(!(hasBrowser && hasAdHoc))('the SQL page', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())
  const open = (options: VisitOptions = {}, path?: string) => openConsole(web, options, path)

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
    expect(await other.getByRole('gridcell').count()).toBe(0)
    expect(await running(web)).toEqual([])
    // The same while the console is open.
    await write(other, 'SELECT 1')
    await other.evaluate(`location.hash = 'q=SELECT%202'`)
    await expect.poll(() => shown(editor(other))).toBe('SELECT 2')
  })

  it('is not for hosts', async () => {
    const page = await web.visit('sql', { key: web.hostKey })
    await page.getByRole('heading', { name: 'For admins' }).waitFor()
    expect(await page.getByRole('link', { name: 'SQL' }).count()).toBe(0)
  })
})
