import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openSharedWeb, type Web } from '../../browser.ts'
import { whenDrawn } from '../../pages/charts.ts'

describe.skipIf(!hasBrowser)('a page on paper', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())

  it('has every chart, in light colours also from the dark theme', async () => {
    const [light, dark] = [await chartsOnPaper('light'), await chartsOnPaper('dark')]
    expect(light.length).toBeGreaterThan(3)
    expect(light).not.toContain(undefined)
    expect(dark.map((chart, index) => chart === light[index])).toEqual(light.map(() => true))
  })

  it('leaves the charts on the screen in the dark theme, also when printing ends at once', async () => {
    const page = await web.visitAsHost('charts', { colorScheme: 'dark' })
    await whenDrawn(page)
    const onScreen = () => page.evaluate<(string | undefined)[]>(charts)
    const before = (await onScreen())[0]
    await page.evaluate("dispatchEvent(new Event('beforeprint')); dispatchEvent(new Event('afterprint'))")
    await expect.poll(async () => (await onScreen())[0]).toBe(before)
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  })

  /** The pictures of the charts when the browser prints the page; undefined: there is none in its place. */
  async function chartsOnPaper(colorScheme: 'light' | 'dark') {
    const page = await web.visitAsHost('charts', { colorScheme })
    await whenDrawn(page)
    // Before the page's own listeners, which take back what the paper needed.
    await page.evaluate(
      `addEventListener('afterprint', () => { globalThis.printed = ${charts} }, { capture: true })`,
    )
    await page.pdf()
    return page.evaluate<(string | undefined)[]>('globalThis.printed')
  }
})

const charts = `[...document.querySelectorAll('.plot')].map((plot) => plot.querySelector('canvas')?.toDataURL())`
