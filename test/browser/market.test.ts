import type { Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey } from '../../platform/security/api-keys.ts'
import { hasBrowser, openSharedWeb, openWeb, violationsOf, type Web } from '../browser.ts'
import { parametersOf, whenListed } from '../pages/charts.ts'

describe.skipIf(!hasBrowser)('the market page', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())

  it('opens what was searched for when the market is there', async () => {
    const page = await web.visit('market', { key: web.hostKey })
    await whenListed(page)
    const held: Route[] = []
    await page.route('**/api/v0/metrics/gpu/current?*', (route) => {
      held.push(route)
    })
    await page.reload()
    const field = page.getByLabel('Find a GPU type')
    await field.fill('3090')
    await field.press('Enter')
    expect(new URL(page.url()).pathname).toBe(new URL('market', web.url).pathname)
    await expect.poll(() => held.length).toBeGreaterThan(0)
    await Promise.all(held.map((route) => route.continue()))
    await expect.poll(() => parametersOf(page).gpu).toBe('RTX 3090')
  })

  it('has the focus on a page that a link led to, also when its script came later', async () => {
    const page = await web.visitAsHost('market')
    await whenListed(page)
    for (let times = 0; times < 2; times += 1) {
      await page.locator('.market tbody a').first().focus()
      await page.keyboard.press('Enter')
      await page.locator('.charts canvas').first().waitFor()
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content')
      await page.goBack()
      await whenListed(page)
    }
  })

  it('remembers the theme that was chosen', async () => {
    const page = await web.visitAsHost('market', { colorScheme: 'light' })
    await whenListed(page)
    await page.getByLabel('Account and settings').click()
    await page.getByRole('button', { name: 'Use the dark theme' }).click()
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    await page.reload()
    await whenListed(page)
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  })

  it('connects again when its live connection brings nothing any more', async () => {
    const page = await web.visitAsHost('market')
    await whenListed(page)
    await page.clock.install()
    await page.addInitScript(`{
      const real = fetch
      window.connections = 0
      // The connection opens, and then neither sends data nor ends.
      const silent = (signal) => new Response(new ReadableStream({
        start: (stream) => signal.addEventListener('abort', () => stream.error(signal.reason))
      }))
      window.fetch = (url, init) => {
        if (!String(url).includes('metrics/live')) return real(url, init)
        window.connections += 1
        return Promise.resolve(silent(init.signal))
      }
    }`)
    await page.reload()
    await whenListed(page)
    await expect.poll(() => page.evaluate('connections')).toBe(1)
    await page.clock.fastForward(46_000)
    await expect
      .poll(async () => {
        await page.clock.fastForward(2000)
        return page.evaluate('connections')
      })
      .toBe(2)
  })

  it('explains the next step to a host who cannot see the market yet', async () => {
    const insert = async (isHost: boolean) => {
      const { rows } = await web.postgres.query<{ id: number }>(
        `INSERT INTO accounts (name, is_host) VALUES ('Somebody', $1) RETURNING id`,
        [isHost],
      )
      return (await createKey(web.postgres, { accountId: rows[0]?.id ?? 0 })).key
    }
    const host = await web.visitAsHost('market', { key: await insert(true) })
    await host.getByText('Bring a machine online').waitFor()
    await web.look(host, 'needs-machine')
    expect(await violationsOf(host)).toEqual([])
    const renter = await web.visitAsHost('market', { key: await insert(false) })
    await renter.getByRole('heading', { name: 'Services of the account' }).waitFor()
    await web.look(renter, 'renter')
    expect(await violationsOf(renter)).toEqual([])
    await expect
      .poll(() => renter.getByRole('navigation').getByRole('link').allInnerTexts())
      .toEqual(['Today', 'API'])
    const operations = await renter
      .locator('.services a')
      .evaluateAll((links) => links.map((link) => (link as unknown as { href: string }).href))
    const { paths } = (await (await fetch(`${web.url}openapi.json`)).json()) as {
      paths: Record<string, Record<string, { operationId: string }>>
    }
    const key = String(await renter.evaluate('sessionStorage["rackrate-key"]'))
    const { body } = await web.get('/api/v0/users/current', key)
    expect(operations.length).toBeGreaterThan(5)
    for (const link of operations) {
      const wanted = new URL(link).searchParams.get('operation')
      const [path] = Object.entries(paths).find(([, methods]) => methods.get?.operationId === wanted) ?? []
      const address = `${path}`.replace(/\{\w+\}/, String((body as { id: number }).id))
      expect((await web.get(address, key)).status, address).toBe(200)
    }
  })
})

describe.skipIf(!hasBrowser)('a market without a snapshot', () => {
  let web: Web
  beforeAll(async () => {
    web = await openWeb({ empty: true })
  })
  afterAll(() => web?.close())

  it('shows that there is no snapshot yet', async () => {
    const page = await web.visit('market', { key: web.adminKey })
    await page.getByText('No market is recorded yet').waitFor()
    await web.look(page, 'empty')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('link', { name: 'Machines', exact: true }).click()
    await page.getByText('This account has no machines').waitFor()
    for (const path of ['charts', 'price']) {
      await page.goto(web.url + path)
      await page.getByText('No market is recorded yet').waitFor()
      await page.getByText('npm start -- --source').waitFor()
      expect(await page.getByRole('heading', { level: 1 }).count(), path).toBe(1)
      expect(await violationsOf(page)).toEqual([])
    }
  })
})
