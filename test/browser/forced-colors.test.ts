import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openSharedWeb, violationsOf, type Web } from '../browser.ts'
import { coloursOf } from '../pages/pixels.ts'

const schemes = ['light', 'dark'] as const

describe.skipIf(!hasBrowser)('a page in forced colours', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())

  it.each([
    ['host', ''],
    ['host', 'market'],
    ['host', 'charts?gpu=RTX+4090,RTX+3090'],
    ['host', 'charts?gpu=RTX+4090&tab=book'],
    ['host', 'charts?gpu=RTX+4090&tab=forecast'],
    ['host', 'where'],
    ['host', 'build'],
    ['host', 'elsewhere'],
    ['host', 'machines'],
    ['host', 'price'],
    ['host', 'autopilot'],
    ['host', 'alerts'],
    ['host', 'docs'],
    ['admin', ''],
    ['admin', 'sql'],
    ['admin', 'dashboards'],
  ] as const)('keeps what is painted, what is chosen, and the focus: %s /%s', async (role, path) => {
    const page = await web.visit(path, { key: role === 'host' ? web.hostKey : web.adminKey })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => page.locator('[aria-busy=true], .skeleton').count()).toBe(0)
    await page.evaluate(markPainted)
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, forcedColors: 'active' })
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
      await web.look(page, `forced-${colorScheme}-${role}-${path.replaceAll(/\W+/g, '-')}`)
      expect(await page.evaluate(lostPaint)).toEqual([])
      expect(await page.evaluate(lostChoices)).toEqual([])
      expect(await lostFocus(page)).toEqual([])
      expect(await violationsOf(page)).toEqual([])
    }
  })

  it('shows the track, the share and the thumb of the price slider', async () => {
    const page = await web.visitAsHost('price', { forcedColors: 'active' })
    const slider = page.getByRole('slider').first()
    await slider.waitFor()
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, forcedColors: 'active' })
      expect((await coloursOf(page, slider)).length).toBeGreaterThan(1)
    }
  })
})

/** The ground that an element stands on. */
const groundOf = `const groundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at)
      if (!/, 0\\)$/.test(backgroundColor)) return backgroundColor
    }
    return getComputedStyle(document.documentElement).backgroundColor
  }`

/** Marks elements that consist of a coloured ground: bars, dots, tracks, swatches. */
const markPainted = `(() => {
    ${groundOf}
    for (const element of document.querySelectorAll('#page *:not(svg *, input, .plot, .skeleton *)')) {
      const { width, height } = element.getBoundingClientRect()
      const { backgroundColor, backgroundImage } = getComputedStyle(element)
      const isPainted = backgroundImage.includes('gradient') || groundOf(element) !== groundOf(element.parentElement)
      if (width >= 2 && height >= 2 && element.checkVisibility() && !element.textContent && isPainted && !element.querySelector('svg, canvas, input, i, span'))
        element.dataset.painted = backgroundColor
    }
  })()`

/** Marked elements that have neither a ground nor an edge any more. */
const lostPaint = `(() => {
    ${groundOf}
    return [...document.querySelectorAll('[data-painted]')].filter((element) => {
      const { backgroundImage, borderTopStyle, borderTopColor } = getComputedStyle(element)
      const ground = groundOf(element.parentElement)
      const hasEdge = borderTopStyle !== 'none' && borderTopColor !== ground
      return !hasEdge && !backgroundImage.includes('gradient') && groundOf(element) === ground
    }).map(({ outerHTML }) => outerHTML.slice(0, 120))
  })()`

/** Chosen elements that look like a neighbour that is not chosen. */
const lostChoices = `(() => {
    const look = (element) => {
      const { color, backgroundColor, borderTopColor, borderBottomColor, textDecorationLine, outlineStyle } = getComputedStyle(element)
      return JSON.stringify([color, backgroundColor, borderTopColor, borderBottomColor, textDecorationLine, outlineStyle])
    }
    const kinds = ['aria-pressed', 'aria-selected', 'aria-current']
    return kinds.flatMap((kind) => {
      const chosen = '[' + kind + ']:not([' + kind + '=false])'
      return [...document.querySelectorAll(chosen)].filter((element) => {
        const group = element.parentElement.matches('li, .entry') ? element.parentElement.parentElement : element.parentElement
        const others = [...group.querySelectorAll(element.localName)].filter((other) => !other.matches(chosen) && other.className === element.className)
        return others.some((other) => look(other) === look(element))
      }).map(({ outerHTML }) => outerHTML.slice(0, 120))
    })
  })()`

/** Elements that have the focus without a ring, of the first ones that Tab reaches. */
async function lostFocus(page: Page): Promise<string[]> {
  const lost: string[] = []
  await page.evaluate('document.activeElement?.blur()')
  for (let n = 0; n < 25; n += 1) {
    await page.keyboard.press('Tab')
    lost.push(
      ...(await page.evaluate<string[]>(`(() => {
        ${groundOf}
        const element = document.activeElement
        const ringed = [element, element.parentElement, element.parentElement?.parentElement].filter(Boolean)
        const hasRing = ringed.some((at) => {
          const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(at)
          return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1 && outlineColor !== groundOf(at.parentElement ?? at)
        })
        return hasRing || element === document.body ? [] : [element.outerHTML.slice(0, 120)]
      })()`)),
    )
  }
  return lost
}
