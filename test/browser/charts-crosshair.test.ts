import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openSharedWeb, type Web } from '../browser.ts'
import { legend, parametersOf, plots, whenDrawn } from '../pages/charts.ts'

describe.skipIf(!hasBrowser)('the crosshair of charts', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())

  it('is one for all charts, by mouse and by keyboard', async () => {
    const page = await web.visitAsHost('charts?gpu=RTX+4090')
    await whenDrawn(page)
    // Waits for the own prices, which arrive last: a redrawn chart loses its crosshair.
    await legend(page, 0)
      .getByText(/^Your prices?$/)
      .waitFor()
    const times = page.locator('.charts').first().locator('.legend time')
    expect(await times.count()).toBe(0)
    let x = 200
    const hovered = async () => {
      x = 401 - x // charts that are drawn later receive the next move
      await plots(page)
        .first()
        .hover({ position: { x, y: 100 } })
      const shown = await times.allInnerTexts()
      return [shown.length, new Set(shown).size]
    }
    await expect.poll(hovered).toEqual([4, 1])

    await page.mouse.move(0, 0)
    await expect.poll(() => times.count()).toBe(0)
    await plots(page).nth(1).focus()
    const value = () => plots(page).nth(1).getAttribute('aria-valuetext')
    const before = await value()
    await page.keyboard.press('Home')
    await expect.poll(value).not.toBe(before)
    const first = await value()
    expect(first).toMatch(/^\d+ \w+ 20\d\d.*: Rented [\d,]+, Available [\d,]+$/)
    await page.keyboard.press('ArrowRight')
    await expect.poll(value).not.toBe(first)
    await expect.poll(async () => new Set(await times.allInnerTexts()).size).toBe(1)
    await page.keyboard.press('+')
    await expect.poll(() => parametersOf(page).range).toBe('custom')
    await page.keyboard.press('-')
    await expect.poll(() => parametersOf(page).range).toBeUndefined()
  })
})
