import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openWeb, type Web } from '../../browser.ts'
import { whenListed } from '../../pages/charts.ts'

describe.skipIf(!hasBrowser)('a page with names of people', () => {
  let web: Web
  beforeAll(async () => {
    web = await openWeb()
  })
  afterAll(() => web?.close())

  it.each([
    ['long and in one word', 'W'.repeat(200)],
    ['from right to left', 'مضيف بطاقات الرسوم '.repeat(10)],
    ['that turn the text around', `\u202Ereversed \u2067${'name '.repeat(30)}`],
  ])(
    'fits a screen and a phone with those %s, and writes the rest from left to right',
    async (_what, name) => {
      const rename = (to: string, from: string) =>
        web.postgres.query('UPDATE accounts SET name = $1 WHERE name = $2', [to, from])
      const { username } = (await web.get('/api/v0/users/current', web.hostKey)).body as { username: string }
      const rule = { name: name.slice(0, 100).trim(), condition: { kind: 'data_age', minutes: 30 } }
      const made = await web.send('POST', '/api/v0/alerts', web.hostKey, rule)
      expect(made.status).toBe(200)
      await rename(name, username)
      try {
        for (const width of [390, 1280]) {
          const page = await web.visitAsHost('market', { viewport: { width, height: 900 } })
          await whenListed(page)
          const fits = () => page.evaluate('document.documentElement.scrollWidth <= innerWidth')
          await expect.poll(fits).toBe(true)
          await page.goto(`${web.url}alerts`)
          const row = page.getByRole('row', { name: rule.name.slice(0, 20) })
          await row.waitFor()
          await web.look(page, `names-${_what}-${width}`)
          await expect.poll(fits).toBe(true)
          // Text after the name begins at the same edge as other text.
          const starts = row.locator('th').evaluate((cell) => {
            const [edge, text] = [cell, cell.querySelector('.quiet')].map(
              (part) => part?.getBoundingClientRect().left ?? 0,
            )
            return Number(text) - Number(edge)
          })
          expect(await starts).toBeLessThan(40)
          await page.context().close()
        }
      } finally {
        await rename(username, name)
        const { rules } = (await web.get('/api/v0/alerts', web.hostKey)).body as { rules: { id: number }[] }
        for (const { id } of rules) await web.send('DELETE', `/api/v0/alerts/${id}`, web.hostKey)
      }
    },
  )
})
