import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pages } from '../../contract/pages.ts'
import { createKey } from '../../platform/security/api-keys.ts'
import { hasBrowser, openSharedWeb, type Web } from '../browser.ts'

const every = Object.values(pages).map((path) => path.slice(1))
// These are one page each to a visitor without rights, at every address.
const few = ['', 'market', 'price']

describe.skipIf(!hasBrowser)('pages request only data that their visitor may see', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())

  async function keyOf(isHost: boolean): Promise<string> {
    const { rows } = await web.postgres.query<{ id: number }>(
      `INSERT INTO accounts (name, is_host) VALUES ('Somebody', $1) RETURNING id`,
      [isHost],
    )
    return (await createKey(web.postgres, { accountId: rows[0]?.id ?? 0 })).key
  }

  const visitors: [string, readonly string[], (page: Page) => Promise<unknown>, () => unknown][] = [
    ['a host', every, whenRead, () => web.hostKey],
    ['an admin', every, whenRead, () => web.adminKey],
    [
      'a host without machines',
      few,
      (page) => page.getByRole('heading', { name: 'Bring a machine online' }).waitFor(),
      () => keyOf(true),
    ],
    [
      'a renter',
      few,
      (page) => page.getByRole('heading', { name: 'Services of the account' }).waitFor(),
      () => keyOf(false),
    ],
    ['a visitor without a key', few, (page) => page.getByLabel('API key').waitFor(), () => undefined],
  ]

  it.each(visitors)(
    '%s gets no refusal and no error in the console',
    async (_name, paths, whenDone, keyFor) => {
      const key = await keyFor()
      const page = await web.visit('docs', typeof key === 'string' ? { key } : {})
      const troubles: string[] = []
      page.on('response', (response) => {
        if (response.status() >= 400) troubles.push(`${page.url()}: ${response.status()} ${response.url()}`)
      })
      page.on('console', (message) => {
        if (message.type() === 'error') troubles.push(`${page.url()}: ${message.text()}`)
      })
      for (const path of paths) {
        await page.goto(web.url + path)
        await whenDone(page)
        // Each page is a first visit, after which the browser knows nothing of the account.
        await page.evaluate(
          `for (const name of Object.keys(sessionStorage)) if (name !== 'rackrate-key') sessionStorage.removeItem(name)`,
        )
      }
      expect(troubles).toEqual([])
    },
  )
})

async function whenRead(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
}
