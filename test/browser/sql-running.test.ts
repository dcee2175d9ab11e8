import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { begun, endless, hasAdHoc, idle } from '../ad-hoc.ts'
import { hasBrowser, openSharedWeb, type VisitOptions, type Web } from '../browser.ts'
import { button, cells, openConsole, run, shown, status } from '../pages/sql.ts'

describe.skipIf(!(hasBrowser && hasAdHoc))('a long query in the SQL console', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())
  const open = (options: VisitOptions = {}, path?: string) => openConsole(web, options, path)

  it('shows progress, and Cancel ends it in ClickHouse', async () => {
    const page = await open()
    await run(page, endless)
    await begun(web)
    const bar = page.getByRole('progressbar', { name: 'Rows read' })
    await expect.poll(async () => Number(await bar.getAttribute('value'))).toBeGreaterThan(0)
    await expect.poll(() => bar.getAttribute('max')).toBe('4900000000')
    await web.look(page, 'sql-progress')
    await button(page, 'Cancel').click()
    await expect.poll(() => shown(status(page))).toBe('Cancelled')
    await idle(web)
  })
})

describe.skipIf(!(hasBrowser && hasAdHoc))('the SQL console', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())
  const open = (options: VisitOptions = {}, path?: string) => openConsole(web, options, path)

  it('reports a service that goes away, and runs the next query', async () => {
    const page = await open()
    await run(page, endless)
    await begun(web)
    await expect.poll(() => shown(page.getByText(/rows read/))).toMatch(/of 4\.9B/)
    web.app.server.closeAllConnections()
    await expect.poll(() => shown(page.getByRole('alert'))).toMatch(/was lost/)
    await idle(web)
    await run(page, 'SELECT 7 AS seven')
    await expect.poll(() => cells(page)).toEqual(['7'])
  })
})
