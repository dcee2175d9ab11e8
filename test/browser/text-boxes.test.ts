import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { hasBrowser, openBrowser, openSharedWeb, type Web } from '../browser.ts'
import { faultsOfTexts } from '../pages/text-boxes.mjs'

type View = (page: Page) => Promise<unknown>

const views: Record<string, View> = {
  ...Object.fromEntries(
    [1440, 1024, 768, 390, 320].map((width): [string, View] => [
      `${width} px`,
      (page) => page.setViewportSize({ width, height: 900 }),
    ]),
  ),
  // Windows of 1440 and 1280 px.
  'zoom 200 %': (page) => page.setViewportSize({ width: 720, height: 450 }),
  'zoom 200 %, small': (page) => page.setViewportSize({ width: 640, height: 450 }),
  dark: (page) => page.emulateMedia({ colorScheme: 'dark' }),
  // Upright A4 within its margins.
  paper: async (page) => {
    await page.setViewportSize({ width: 718, height: 1000 })
    await page.emulateMedia({ media: 'print' })
  },
}

describe.skipIf(!hasBrowser)('texts', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())

  it.each([
    '',
    'market',
    'charts?gpu=RTX+4090',
    'charts?gpu=RTX+4090,RTX+3090,H100+SXM',
    'where?gpu=all',
    'build',
    'elsewhere',
    'machines',
    'price',
    'price?gpu=H100+SXM',
    'autopilot',
    'alerts',
    'docs',
    'nowhere',
  ])('texts of /%s are whole and apart at every width, zoomed and on paper', async (path) => {
    const page = await web.visitAsHost(path)
    expect(await faultsIn(web, page, path)).toEqual({})
  })

  it.each(['', 'sql', 'dashboards', 'elsewhere'])(
    'texts of /%s are whole and apart for an admin',
    async (path) => {
      const page = await web.visit(path, { key: web.adminKey })
      expect(await faultsIn(web, page, `admin-${path}`)).toEqual({})
    },
  )
})

describe.skipIf(!hasBrowser)('texts of a renter', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())

  it.each([
    ['a usual name', 'RTX 4090'],
    ['a long name', 'W'.repeat(200)],
  ])('texts are whole and apart beside rented volumes and GPUs with %s', async (_what, name) => {
    const { key } = await createKeyFor(web.postgres, { role: 'user' })
    const page = await web.visit('docs', { key })
    const terms = { num_gpus: 8, actual_status: 'running', dph_total: 3.2, start_date: 1.7e9 }
    const instances = Array.from({ length: 8 }, (_, id) => ({ id, gpu_name: name, ...terms }))
    const volumes = [{ id: 1, disk_space: 12_000 }]
    await page.route('**/api/v1/instances', (route) =>
      route.fulfill({ json: { instances, next_token: null } }),
    )
    await page.route('**/api/v0/volumes', (route) => route.fulfill({ json: { volumes } }))
    await page.route('**/gpu/offers', async (route) => {
      const response = await route.fetch()
      const text = await response.text()
      await route.fulfill({ response, body: text.replaceAll('"RTX 4090"', JSON.stringify(name)) })
    })
    await page.goto(web.url)
    await page.getByText('1 volume', { exact: true }).waitFor()
    await page
      .getByRole('button', { name: /^See offers: / })
      .first()
      .click()
    expect(await faultsIn(web, page, `renter-${name.length}`)).toEqual({})
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
})

describe.skipIf(!hasBrowser)('texts beside long names', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())

  const hostPages = ['', 'market', 'charts', 'charts?tab=book', 'where', 'build', 'elsewhere', 'machines']
  const ofHosts = [...hostPages, 'price', 'autopilot', 'alerts'].map((path) => ['host', path] as const)
  it.each([...ofHosts, ['admin', ''], ['admin', 'dashboards']] as const)(
    'texts are whole beside names of 200 characters: %s /%s',
    async (role, path) => {
      const page = await web.visit('docs', { key: role === 'host' ? web.hostKey : web.adminKey })
      const names = {
        'RTX 5090': 'Nebula Accelerator 9000 Ultra Max Super Extra Long Edition 192GB '
          .repeat(4)
          .slice(0, 199),
        'RTX 4090': 'بطاقة رسومات '.repeat(16).slice(0, 199),
        'RTX 3090': 'W'.repeat(200),
      }
      await page.route(/api\/v0\/(?!metrics\/live)/, async (route) => {
        // The service knows the short names.
        const url = Object.entries(names).reduce(
          (address, [name, long]) => address.replaceAll(inAddress(long), inAddress(name)),
          route.request().url(),
        )
        const response = await route.fetch({ url })
        const text = Object.entries(names).reduce(
          (body, [name, long]) => body.replaceAll(JSON.stringify(name), JSON.stringify(long)),
          (await response.text()).replace(/"username":"[^"]*"/g, `"username":"${'M'.repeat(200)}"`),
        )
        await route.fulfill({ response, body: text })
      })
      await page.goto(new URL(path, web.url).href)
      await page.getByText('MMM').first().waitFor({ state: 'attached' })
      expect(await faultsIn(web, page, `long-${path}`, ['1440 px', '768 px', '390 px'])).toEqual({})
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    },
  )
})

describe.skipIf(!hasBrowser)('a page with faults', () => {
  it('the check finds texts that are cut, outside, out of their box or one upon another', async () => {
    const page = await (await openBrowser()).newPage()
    await page.setContent(`<style>p { margin: 0; width: 60px; white-space: nowrap }</style>
      <p style="overflow: hidden">Cut by its box</p>
      <p style="overflow: hidden; text-overflow: ellipsis" title="Whole in its tip">Whole in its tip</p>
      <p style="overflow: auto">In a scroller, so it is no fault</p>
      <p>Wider than its box</p>
      <p style="position: absolute; left: -30px; width: auto">Outside</p>
      <p style="position: absolute; top: 200px">Lower</p><p style="position: absolute; top: 203px">Upper</p>`)
    expect(await page.evaluate(faultsOfTexts)).toEqual([
      'cut: “Cut by its box” in body p by body p',
      'out of its box: “Wider than its box” in body p',
      'outside: “Outside” in body p',
      'overlap: “Lower” and “Upper” in body p',
    ])
    await page.close()
  })
})

const inAddress = (name: string): string => `${new URLSearchParams([['', name]])}`.slice(1)

/** The faults of a page by view, once everything is read. */
async function faultsIn(
  web: Web,
  page: Page,
  path: string,
  shown = Object.keys(views),
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  await page.locator('main h1').waitFor()
  for (const name of shown) {
    await views[name]?.(page)
    await expect.poll(() => page.locator('[aria-busy=true], .skeleton').count()).toBe(0)
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
    const faults = await page.evaluate(faultsOfTexts)
    if (name === 'paper') expect(await page.locator('nav:not(.operations):visible').count()).toBe(0)
    if (faults.length > 0) found[name] = faults
    await web.look(page, `boxes-${path.replaceAll(/\W+/g, '-')}-${name.replaceAll(/\W+/g, '-')}`)
  }
  return found
}
