import { readdirSync } from 'node:fs'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openSharedWeb, openWeb, violationsOf, type Web } from '../browser.ts'
import { whenDrawn, whenListed } from '../pages/charts.ts'

const assets = readdirSync(new URL('../../dist/web/assets', import.meta.url))

describe.skipIf(!hasBrowser)('the site', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())

  it('has a page for addresses that lead nowhere; programs get JSON', async () => {
    const page = await web.visitAsHost('nowhere')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('link', { name: 'Go to the first page' }).click()
    await page.locator('main.today').waitFor()
    await page.goto(`${web.url}machines/2328/?a=b`)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.context().close()
    const statusOf = async (path: string, accept: string) => {
      const { status, headers } = await fetch(new URL(path, web.url), { headers: { accept } })
      return [status, headers.get('content-type')?.split(';')[0]]
    }
    expect(await statusOf('nowhere', 'text/html')).toEqual([404, 'text/html'])
    expect(await statusOf('nowhere', '*/*')).toEqual([404, 'application/json'])
    expect(await statusOf('api/v0/nowhere', 'text/html')).toEqual([404, 'application/json'])
  })

  it('reports a missing part of itself, as after an update', async () => {
    const page = await web.visit('market', { key: web.adminKey })
    await whenListed(page)
    const loaded = await page.evaluate<string[]>(
      'performance.getEntriesByType("resource").map(({ name }) => name)',
    )
    const isGone = ({ pathname, href }: URL) =>
      /\/assets\/page-.*js$/.test(pathname) && !loaded.includes(href)
    await page.route(isGone, (route) => route.fulfill({ status: 404, body: '' }))
    await page.getByRole('link', { name: 'Data' }).click()
    await page.getByText('Something went wrong').waitFor()
    // Only the missing page is affected.
    await page.getByRole('link', { name: 'Market' }).click()
    await whenListed(page)
    await page.getByRole('link', { name: 'Data' }).click()
    await page.getByText('Something went wrong').waitFor()
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByText('Something went wrong').waitFor()
    // The network is back: so is the page.
    await page.unroute(isGone)
    await page.context().setOffline(true)
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Run' }).waitFor()
  })

  it('returns by itself once the service is back, with one heading until then', async () => {
    const page = await web.visitAsHost('alerts')
    await page.getByRole('heading', { name: 'Alerts' }).waitFor()
    await page.context().route(`${web.url}**`, (route) => route.abort())
    await page.getByRole('link', { name: 'Machines', exact: true }).click()
    await page.getByText('Something went wrong').waitFor()
    await page.getByRole('link', { name: 'Market' }).waitFor()
    await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(1)
    await page.context().unroute(`${web.url}**`)
    await page.locator('.fleet tbody tr').first().waitFor()
    await page.context().close()
  })

  it('shows notices about damaged and lost figures above every page while they last', async () => {
    const own = await openWeb()
    const notices = [/^Stored figures were found damaged/, /^Stored figures are lost/]
    await own.postgres.query(
      `INSERT INTO damages (place, kind, from_slot, to_slot, problem) VALUES ('a', 'part', 0, 1, 'A'), ('b', 'lost', 0, 1, 'B')`,
    )
    const page = await own.visitAsHost('market')
    await whenListed(page)
    for (const path of ['market', 'alerts', 'docs']) {
      await page.goto(new URL(path, own.url).href)
      for (const notice of notices) await page.locator('.service-notices').getByText(notice).waitFor()
    }
    expect(await violationsOf(page)).toEqual([])
    await own.look(page, 'notices')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(new URL('market', own.url).href)
    await page.getByText('Stored figures are lost').waitFor()
    await whenListed(page)
    await own.look(page, 'notices-phone')
    await own.postgres.query('UPDATE damages SET mended_at = rackrate_now()')
    await expect.poll(() => page.getByText(/^Stored figures/).count()).toBe(0)
    await page.context().close()
    await own.close()
  })

  it('asks again for what it could not read, once the service answers', async () => {
    const page = await web.visitAsHost('market')
    await page
      .context()
      .route('**/api/v0/metrics/gpu/**', (route) => route.fulfill({ status: 503, body: '' }))
    await page.reload()
    await page.getByRole('alert').getByText('The service answered 503').waitFor()
    await page.context().unroute('**/api/v0/metrics/gpu/**')
    await whenListed(page)
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    await page.context().close()
  })

  it('lists its keys, by a key and by the mouse', async () => {
    const page = await web.visitAsHost('market')
    await whenListed(page)
    const dialog = page.getByRole('dialog', { name: 'Keys' })
    await page.getByRole('searchbox').press('?')
    expect(await dialog.count()).toBe(0)
    await page.getByRole('searchbox').fill('')
    await page.locator('#content').focus()
    await page.keyboard.press('?')
    await dialog.getByText('Move the crosshair of all charts').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'keys')
    await page.keyboard.press('Escape')
    await expect.poll(() => dialog.count()).toBe(0)
    await page.getByLabel('Account and settings').click()
    await page.getByRole('button', { name: 'Keys' }).click()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => dialog.count()).toBe(0)
    await page.context().close()
  })

  it('finds its way from an address with a slash behind it', async () => {
    const page = await web.visitAsHost('machines/?verified=all')
    await page.locator('tbody tr').first().waitFor()
    expect(page.url()).toBe(`${web.url}machines?verified=all`)
    await expect.poll(() => page.title()).toBe('Machines – rackrate')
  })

  it('works behind a path', async () => {
    const { port } = new URL(web.url)
    const proxy = createServer((incoming, outgoing) => {
      if (!incoming.url?.startsWith('/some/where/')) return outgoing.writeHead(404).end()
      const path = incoming.url.slice('/some/where'.length)
      const onward = forward({ port, path, method: incoming.method, headers: incoming.headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      })
      incoming.pipe(onward)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const at = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/some/where/`
    const page = await web.visitAsHost(`${at}market`)
    await whenListed(page)
    await page.getByRole('link', { name: 'Machines', exact: true }).click()
    await page.locator('tbody tr').first().waitFor()
    expect(page.url()).toMatch(new RegExp(`^${at}machines$`))
    await page.reload()
    await page.locator('tbody tr').first().waitFor()
    await page.context().close()
    proxy.closeAllConnections()
    proxy.close()
  })

  it('is served with a strict policy, small, and never stale', async () => {
    const response = await fetch(web.url)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toMatch(/unsafe|\*|http:/)
    expect(response.headers.get('cache-control')).toBe('no-cache')
    const html = await response.text()
    const scripts = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(
      ([, path]) => path ?? '',
    )
    expect(scripts.length).toBeGreaterThan(0)
    const sizes = await Promise.all(
      scripts.map(async (path) => {
        const script = await fetch(new URL(path, web.url), { headers: { 'accept-encoding': 'gzip' } })
        expect(script.headers.get('cache-control')).toContain('immutable')
        return Number(script.headers.get('content-length'))
      }),
    )
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000)
    expect((await fetch(new URL('assets/..%2f..%2fpackage.json', web.url))).status).toBe(404)
    expect(assets.some((name) => name.endsWith('.map'))).toBe(false)
  })

  it('can be installed as an app', async () => {
    const page = await web.visitAsHost('market')
    await page.waitForSelector('link[rel=manifest]', { state: 'attached' })
    const devtools = await page.context().newCDPSession(page)
    const { url, errors, data = '' } = await devtools.send('Page.getAppManifest')
    expect(errors).toEqual([])
    expect(url).toBe(new URL('manifest.webmanifest', web.url).href)
    const { start_url, icons } = JSON.parse(data)
    expect(new URL(start_url, url).href).toBe(web.url)
    for (const { src, type } of icons)
      expect((await fetch(new URL(src, url))).headers.get('content-type')).toContain(type)
    expect((await fetch(url)).headers.get('content-type')).toContain('application/manifest+json')
  })

  it.each([
    ['', 60_000],
    ['charts', 74_500],
  ])('loads for the page at /%s at most %d bytes of script, gzipped', async (path, most) => {
    const sizes = await Promise.all(
      (await scriptsOf(web, path)).map(async (script) => {
        const { headers } = await fetch(script, { headers: { 'accept-encoding': 'gzip' } })
        return Number(headers.get('content-length'))
      }),
    )
    expect(Math.min(...sizes)).toBeGreaterThan(0)
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(most)
  })

  it('names every script of the charts in their document, so that all are loaded at once', async () => {
    const scripts = await scriptsOf(web, 'charts')
    expect(scripts.length).toBeGreaterThan(2)
    const document = await (await fetch(new URL('charts', web.url))).text()
    for (const path of scripts) expect(document).toContain(path.slice(path.lastIndexOf('/')))
  })
})

/** Addresses of the scripts that a page loads until its figures are there. */
async function scriptsOf(web: Web, path: string): Promise<string[]> {
  const page = await web.visitAsHost(path)
  await (path === 'charts' ? whenDrawn(page) : page.locator('.gpu-types tbody tr').first().waitFor())
  return await page.evaluate<string[]>(
    // Scripts that are loaded after the charts are drawn, or at the visitor's first action, do not count. Chromium itself may move the pointer.
    'performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.endsWith(".js") && !/\\/(once-drawn|focus-figures|parts|filters)-/.test(name))',
  )
}
