import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openWeb, type Web } from '../../browser.ts'

const assets = readdirSync(new URL('../../../dist/web/assets', import.meta.url))
const sheets = assets.filter((name) => name.endsWith('.css'))

describe.skipIf(!hasBrowser)('the site', () => {
  let web: Web
  beforeAll(async () => {
    web = await openWeb()
  })
  afterAll(() => web?.close())

  it.each([
    ['', 'main tbody a'],
    ['charts', '.cards[aria-busy=false] ~ .charts canvas'],
    ['machines', 'main tbody a'],
    ['price', '.figures strong'],
    ['alerts', 'main form'],
    ['docs', 'main h2'],
    ['sql', '.cm-content'],
    ['dashboards', 'main form, main button'],
  ])('looks the same whatever page was open before: /%s', async (path, shows) => {
    const page = await web.visitAsHost(path, {
      key: path === 'sql' || path === 'dashboards' ? web.adminKey : web.hostKey,
    })
    await page.locator(shows).first().waitFor()
    // Changing figures are ignored: only constant elements count, and properties that depend on style sheets alone.
    const changed = await page.evaluate<string[]>(`(async () => {
      const decided = ['display', 'fill', 'font-size', 'font-weight', 'margin', 'padding', 'border-width', 'text-align', 'white-space', 'color', 'gap']
      const stylesOf = (element) => decided.map((name) => name + ': ' + getComputedStyle(element)[name]).join('; ')
      const before = [...document.querySelectorAll('body *')].map((element) => [element, stylesOf(element), element.className])
      await Promise.all(${JSON.stringify(sheets)}.map((sheet) => new Promise((loaded) => {
        const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: new URL('assets/' + sheet, document.baseURI).href, onload: loaded })
        document.head.append(link)
      })))
      return before
        .filter(([element, styles, name]) => element.isConnected && element.className === name && stylesOf(element) !== styles)
        .map(([element, styles]) => element.tagName + '.' + element.getAttribute('class') + ' ' + styles + ' → ' + stylesOf(element))
    })()`)
    expect(changed).toEqual([])
  })
})
