import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { begun, endless, hasAdHoc, idle, running } from '../../ad-hoc.ts'
import { hasBrowser, openWeb, type VisitOptions, type Web } from '../../browser.ts'
import { doTask, type Task, type Way, ways } from '../../hands.ts'
import { button, openConsole, shown, status } from '../../pages/sql.ts'

describe.skipIf(!(hasBrowser && hasAdHoc))('dashboards', () => {
  let web: Web
  beforeAll(async () => {
    web = await openWeb()
  })
  afterAll(() => web?.close())
  const open = (options: VisitOptions = {}, path?: string) => openConsole(web, options, path)

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
    await begun(web, 2)
    await expect.poll(() => page.getByText('Waiting for its turn').count()).toBe(2)
    await web.look(page, 'dashboards-waiting')
    expect(await running(web)).toHaveLength(2)
    await page.getByRole('link', { name: 'All dashboards' }).click()
    await idle(web)
  })
})
