import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openBrowser, openSharedWeb, type Web } from '../browser.ts'
import { faultsOfTexts } from '../pages/text-boxes.mjs'

type View = (page: Page) => Promise<unknown>

const views: Record<string, View> = {
  ...Object.fromEntries(
    [1440, 1024, 768, 390].map((width): [string, View] => [
      `${width} px`,
      (page) => page.setViewportSize({ width, height: 900 }),
    ]),
  ),
  // A window of 1440 px at 200 %.
  'zoom 200 %': (page) => page.setViewportSize({ width: 720, height: 450 }),
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

describe.skipIf(!hasBrowser)('texts beside long names', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())

  it.each(['', 'market', 'machines', 'build'])('texts of /%s are whole beside long names', async (path) => {
    const page = await web.visitAsHost('docs')
    const names = {
      'RTX 5090': 'Nebula Accelerator 9000 Ultra Max Super Extra Long Edition 192GB',
      'RTX 4090': `بطاقة رسومات ${'x'.repeat(50)}`,
    }
    await page.route(/metrics\/(?!live)/, async (route) => {
      const response = await route.fetch()
      const text = Object.entries(names).reduce(
        (body, [name, long]) => body.replaceAll(JSON.stringify(name), JSON.stringify(long)),
        await response.text(),
      )
      await route.fulfill({ response, body: text })
    })
    await page.goto(new URL(path, web.url).href)
    await page.getByText('Nebula Accelerator').first().waitFor()
    expect(await faultsIn(web, page, `long-${path}`, ['1440 px', '768 px', '390 px'])).toEqual({})
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
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
