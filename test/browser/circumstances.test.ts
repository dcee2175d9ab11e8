import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pages } from '../../contract/pages.ts'
import { createKey } from '../../platform/security/api-keys.ts'
import { hasBrowser, openSharedWeb, type Web } from '../browser.ts'

const { sql, dashboards, recording, docs, ...ofHosts } = pages
const hostPaths = Object.values(ofHosts).map((path) => path.slice(1))
const adminPaths = [sql, dashboards, recording].map((path) => path.slice(1))
const places = [
  ...hostPaths.map((path) => ['host', path] as const),
  ...adminPaths.map((path) => ['admin', path] as const),
]
const isFigure = ({ pathname }: URL) => /\/api\/v0\/(?!users\/current)/.test(pathname)

describe.skipIf(!hasBrowser)('a page in bad circumstances', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())

  const keyOf = (role: 'host' | 'admin') => (role === 'host' ? web.hostKey : web.adminKey)

  it.each(places)(
    'names a failure of everything in words, awaits nothing, and leads on: %s /%s',
    async (role, path) => {
      const page = await web.visit('docs', {
        key: keyOf(role),
        forcedColors: 'active',
        reducedMotion: 'reduce',
      })
      await page.route(isFigure, (route) =>
        route.fulfill({ status: 500, json: { error: 'internal', msg: 'Internal server error' } }),
      )
      await page.goto(web.url + path)
      const alert = page.locator('main').getByRole('alert')
      await alert.getByText('Internal server error').first().waitFor()
      await expect.poll(() => awaited(page).filter({ visible: true }).count()).toBe(0)
      expect(await alert.getByRole('button', { name: 'Try again' }).count()).toBe(1)
      expect(await page.locator('main').innerText()).not.toMatch(/Nothing yet|^–$|\$\d/m)
      await web.look(page, `fails-${role}-${path}`)
      // A network that asks for a sign-in of its own answers a page.
      await page.unroute(isFigure)
      await page.route(isFigure, (route) =>
        route.fulfill({ contentType: 'text/html', body: '<h1>Wi-Fi</h1>' }),
      )
      await alert.getByRole('button', { name: 'Try again' }).click()
      await alert.getByText('The answer did not come from the service. The page keeps trying.').waitFor()
      await page.unroute(isFigure)
      await whenRead(page)
      await expect.poll(() => page.getByRole('alert').count()).toBe(0)
      expect(await moving(page)).toEqual([])
    },
  )

  const typed: [string, 'host' | 'admin', string, (page: Page) => Promise<() => Promise<unknown>>][] = [
    ['a rule for alerts', 'host', 'alerts', fill((page) => page.getByLabel('Percent'), '7.5')],
    [
      'a rule of the autopilot',
      'host',
      'autopilot',
      fill((page) => page.getByLabel(/^Never below/), '0.123'),
    ],
    ['costs in a dialog', 'host', 'machines', fillCosts],
    ['a statement', 'admin', 'sql', fillStatement],
  ]
  it.each(typed)(
    'keeps %s while a key ends, and goes on with it after the sign-in',
    async (_what, role, path, type) => {
      const { id, key } = await ownKey(web, keyOf(role))
      const page = await web.visit(path, { key })
      await whenRead(page)
      const read = await type(page)
      const before = await read()
      await web.postgres.query('UPDATE api_keys SET expires_at = rackrate_now() WHERE id = $1', [id])
      await expect.poll(async () => (await web.get('/api/v0/users/current', key)).status).toBe(401)
      await askAgain(page)
      await page.getByText('The API key is no longer valid.').waitFor()
      expect(await page.locator('main').filter({ visible: true }).count()).toBe(1)
      await page.getByLabel('API key').fill(keyOf(role))
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByLabel('API key').waitFor({ state: 'detached' })
      expect(await read()).toEqual(before)
      // The next request has the new key.
      const [request] = await Promise.all([
        page.waitForRequest((one) => isFigure(new URL(one.url()))),
        askAgain(page),
      ])
      expect(request.headers().authorization).toBe(`Bearer ${keyOf(role)}`)
    },
  )

  it('leaves nothing of an ended session to another account', async () => {
    const { id, key } = await ownKey(web, web.adminKey)
    const page = await web.visit('sql', { key })
    await whenRead(page)
    await fillStatement(page)
    await web.postgres.query('UPDATE api_keys SET expires_at = rackrate_now() WHERE id = $1', [id])
    await expect.poll(async () => (await web.get('/api/v0/users/current', key)).status).toBe(401)
    await askAgain(page)
    await page.getByText('The API key is no longer valid.').waitFor()
    await page.getByLabel('API key').fill(web.hostKey)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'For admins' }).waitFor()
    expect(await page.evaluate('JSON.stringify(sessionStorage) + document.body.innerHTML')).not.toContain(
      'AS mine',
    )
  })

  it('keeps two accounts apart in two tabs, also when both are remembered', async () => {
    const page = await web.visit('machines')
    const other = await page.context().newPage()
    await other.goto(`${web.url}machines`)
    // A tab takes over the session of another one only when it is opened.
    for (const tab of [page, other]) await tab.getByLabel('API key').waitFor()
    for (const [tab, key] of [
      [page, web.hostKey],
      [other, web.adminKey],
    ] as const) {
      await tab.getByLabel('API key').fill(key)
      await tab.getByLabel('Keep me signed in').check()
      await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
      await tab.locator('.account .user').waitFor()
    }
    const nameOf = (tab: Page) => tab.locator('.account .user').innerText()
    const names = [await nameOf(page), await nameOf(other)]
    expect(new Set(names).size).toBe(2)
    await page.reload()
    expect(await nameOf(page)).toBe(names[0])
    await page.getByLabel('Account and settings').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
    await other.reload()
    expect(await nameOf(other)).toBe(names[1])
  })

  it.each(places)(
    'loads itself again once if a script of it is gone, then reports it: %s /%s',
    async (role, path) => {
      const page = await web.visit('docs', { key: keyOf(role) })
      await whenRead(page)
      // The scripts that are loaded are of the old release; every other one is gone.
      const loaded = await page.evaluate<string[]>(
        'performance.getEntriesByType("resource").map(({ name }) => name)',
      )
      const isGone = (url: URL) =>
        url.pathname.includes('/assets/') && url.pathname.endsWith('.js') && !loaded.includes(url.href)
      let documents = 0
      page.on('request', (request) => {
        if (request.resourceType() === 'document') documents += 1
      })
      await page.route(isGone, (route) => route.fulfill({ status: 404, body: '' }))
      await page.evaluate(`history.pushState(null, '', '${web.url}${path}')`)
      await expect.poll(() => documents).toBe(1)
      await page.getByRole('heading', { name: 'Something went wrong' }).waitFor()
      await page.unroute(isGone)
      expect(documents).toBe(1)
      await page.getByRole('button', { name: 'Reload' }).click()
      await page.getByRole('heading', { name: 'Something went wrong' }).waitFor({ state: 'detached' })
      await whenRead(page)
    },
  )

  const dialogs: [string, string, (page: Page) => Promise<unknown>, string][] = [
    ['the search of the menu', 'market', (page) => page.keyboard.press('Control+K'), 'Jump to'],
    ['the list of keys', 'market', (page) => page.keyboard.press('?'), 'Keys'],
    ['the links of a chart', 'charts?gpu=RTX+4090', share, 'Share: Price of RTX 4090, last 7 d'],
    [
      'the costs',
      'machines',
      (page) => page.locator('.filters').getByRole('button', { name: 'Enter costs' }).click(),
      'Costs',
    ],
  ]
  it.each(dialogs)('reports that %s cannot be loaded, and goes on', async (_what, path, open, name) => {
    const page = await web.visitAsHost(path)
    await whenRead(page)
    if (open === share) {
      await page.locator('.menu summary').first().click()
      await page.getByRole('button', { name: 'Share' }).waitFor()
      await page.keyboard.press('Escape')
    }
    const loaded = await page.evaluate<string[]>(
      'performance.getEntriesByType("resource").map(({ name }) => name)',
    )
    const isGone = ({ href }: URL) => href.endsWith('.js') && !loaded.includes(href)
    await page.route(isGone, (route) => route.fulfill({ status: 404, body: '' }))
    await open(page)
    const missing = page.getByRole('dialog', { name: 'This part cannot be loaded' })
    await missing.getByRole('button', { name: 'Reload' }).waitFor()
    await missing.getByRole('button', { name: 'Close' }).click()
    await missing.waitFor({ state: 'detached' })
    expect(await page.getByText('Something went wrong').count()).toBe(0)
    await open(page)
    await page.unroute(isGone)
    await missing.getByRole('button', { name: 'Reload' }).click()
    await missing.waitFor({ state: 'detached' })
    await whenRead(page)
    await open(page)
    await page.getByRole('dialog', { name }).waitFor()
  })

  const storages: [string, string][] = [
    [
      'denied',
      `for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(globalThis, name, { get() { throw new DOMException('denied', 'SecurityError') } })`,
    ],
    ['full', `Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }`],
    [
      'full of nonsense',
      `for (const store of [localStorage, sessionStorage])
      for (const name of ['theme', 'introduced', 'market', 'sql'])
        store.setItem('rackrate-' + name, name === 'sql' ? '{"tabs":[{}, 3],"chosen":0}' : '{"broken":[')`,
    ],
  ]
  it.each(storages)('opens with a storage that is %s', async (what, script) => {
    const page = await web.visit('docs')
    await page.addInitScript(script)
    await page.goto(`${web.url}sql`)
    await page.getByLabel('API key').fill(web.adminKey)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.locator('.cm-content').waitFor()
    // Signing in deletes the draft, so it is broken now. Other storages forget the key.
    if (what === 'full of nonsense') await page.reload()
    await page.locator('.cm-content').waitFor()
    for (const [, path] of places) {
      await page.evaluate(`history.pushState(null, '', '${web.url}${path}')`)
      await page.waitForURL(web.url + path)
      await whenRead(page)
    }
    expect(await page.getByText('Something went wrong').count()).toBe(0)
  })
})

const awaited = (page: Page) => page.locator('[aria-busy=true], .skeleton')

async function whenRead(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).filter({ visible: true }).waitFor()
  await expect.poll(() => awaited(page).filter({ visible: true }).count()).toBe(0)
}

async function share(page: Page): Promise<void> {
  await page.locator('.menu summary').first().click()
  await page.getByRole('button', { name: 'Share' }).click()
}

/** Elements whose look takes time to change. */
const moving = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('*')].filter((element) => {
    const style = getComputedStyle(element)
    return [style.transitionDuration, style.animationDuration].some((time) => /[1-9]/.test(time)) || style.scrollBehavior === 'smooth'
  }).map(({ outerHTML }) => outerHTML.slice(0, 80))`)

/** A connection that returns: the page asks for everything again. */
async function askAgain(page: Page): Promise<void> {
  await page.context().setOffline(true)
  await page.context().setOffline(false)
}

function fill(field: (page: Page) => ReturnType<Page['getByLabel']>, text: string) {
  return async (page: Page) => {
    await field(page).fill(text)
    return () => field(page).inputValue()
  }
}

async function fillCosts(page: Page) {
  await page.locator('.filters').getByRole('button', { name: 'Enter costs' }).click()
  const field = page.getByRole('dialog').locator('input').first()
  await field.fill('0.33')
  return () => field.inputValue()
}

async function fillStatement(page: Page) {
  const editor = page.locator('.cm-content')
  await editor.click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('SELECT 42 AS mine')
  return () => editor.innerText()
}

/** A further key of the account of a key. */
async function ownKey(web: Web, key: string) {
  const { rows } = await web.postgres.query<{ account_id: number }>(
    'SELECT account_id FROM api_keys WHERE prefix = $1',
    [key.split('_')[1]],
  )
  return createKey(web.postgres, { accountId: rows[0]?.account_id ?? 0 })
}
