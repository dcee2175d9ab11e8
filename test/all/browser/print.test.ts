import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openWeb, type Web } from '../../browser.ts'
import { whenDrawn, whenListed, whenOwnDrawn } from '../../pages/charts.ts'
import { whenPriced } from '../../pages/desk.ts'

/** The page's colour in the light theme. Paper is white by print.css, which applies after the measurement. */
const lightPage = 'rgb(246, 247, 249)'

describe.skipIf(!hasBrowser)('a page printed from the dark theme', () => {
  let web: Web
  beforeAll(async () => {
    web = await openWeb()
  })
  afterAll(() => web?.close())

  /** Prints a page, and returns `measure` of the printed layout: the browser announces it before it takes the pages. */
  async function printed(page: Page, name: string) {
    // A listener of the test runs after the listeners of the page.
    await page.evaluate(`addEventListener('beforeprint', () => {
      const shades = (canvas) => {
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
        const found = new Set()
        for (let at = 0; at < data.length; at += 4)
          if (data[at + 3] === 255) found.add('#' + [0, 1, 2].map((part) => data[at + part].toString(16).padStart(2, '0')).join(''))
        return [...found]
      }
      const plots = [...document.querySelectorAll('.chart:not(:has(.empty)) .plot')]
      globalThis.onPaper = {
        theme: document.documentElement.dataset.theme,
        background: getComputedStyle(document.body).backgroundColor,
        charts: plots.map((plot) => [...plot.querySelectorAll('canvas')].map((canvas) => ({ width: canvas.clientWidth, shades: shades(canvas) }))),
      }
    })`)
    const file = process.env.TEST_SCREENSHOTS && { path: `test-artefacts/print-${name}.pdf` }
    await page.pdf({ format: 'A4', ...file })
    return page.evaluate<{
      theme: string
      background: string
      charts: { width: number; shades: string[] }[][]
    }>('globalThis.onPaper')
  }
  const dark = { colorScheme: 'dark' } as const
  // The token --grid of both themes (web/tokens.css).
  const [grid, darkGrid] = ['#eceff3', '#20252c']

  it.each([
    ['charts', 'charts?gpu=RTX+4090', whenDrawn, 4],
    ['desk', 'price', whenPriced, 2],
    ['compare', 'charts?gpu=RTX+4090%2CRTX+5090%2CH100+SXM', whenDrawn, 4],
  ])('has all its charts in light colours, as wide as paper: %s', async (name, path, ready, least) => {
    const page = await web.visitAsHost(path, { ...dark, viewport: { width: 1280, height: 500 } })
    // The charts of the desk are below the screen, so only printing draws them.
    await ready(page)
    const { theme, background, charts } = await printed(page, name)
    expect([theme, background]).toEqual(['light', lightPage])
    expect(charts.length).toBeGreaterThanOrEqual(least)
    for (const drawings of charts) {
      expect(drawings).toHaveLength(1)
      expect(drawings[0]?.width).toBeLessThanOrEqual(720)
      expect(drawings[0]?.shades).toContain(grid)
      expect(drawings[0]?.shades).not.toContain(darkGrid)
    }
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    // The charts on the screen are dark again.
    await page.locator('.plot').first().scrollIntoViewIfNeeded()
    await expect
      .poll(() =>
        page.evaluate(`(() => {
          const canvas = document.querySelector('.plot canvas')
          const { data } = canvas?.getContext('2d').getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
          return data.some((_part, at) => at % 4 === 0 && data[at] === 0x20 && data[at + 1] === 0x25 && data[at + 2] === 0x2c)
        })()`),
      )
      .toBe(true)
  })

  it('has no dark part in the market', async () => {
    const page = await web.visitAsHost('market', dark)
    await whenListed(page)
    expect(await printed(page, 'market')).toMatchObject({ theme: 'light', background: lightPage })
  })

  it('is light where only the medium changes', async () => {
    const page = await web.visitAsHost('charts?gpu=RTX+4090', dark)
    await whenDrawn(page)
    const theme = () => page.evaluate('document.documentElement.dataset.theme')
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await expect.poll(theme).toBe('light')
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
    await expect.poll(theme).toBe('dark')
  })

  it('leaves the charts on the screen in the dark theme when printing ends at once', async () => {
    const page = await web.visitAsHost('charts', dark)
    // Own prices arrive after the market's: a picture from before them never returns.
    await whenOwnDrawn(page)
    const picture = () => page.evaluate(`document.querySelector('.plot canvas')?.toDataURL()`)
    const before = await picture()
    await page.evaluate("dispatchEvent(new Event('beforeprint')); dispatchEvent(new Event('afterprint'))")
    await expect.poll(picture).toBe(before)
  })
})
