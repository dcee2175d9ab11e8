import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openSharedWeb, type Web } from '../browser.ts'
import { askedWhile, drag, legend, parametersOf, plots, whenDrawn } from '../pages/charts.ts'

describe.skipIf(!hasBrowser)('the zoom of charts', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())

  it('goes into what is dragged over, with a finer step, and back', async () => {
    const page = await web.visitAsHost('charts?gpu=RTX+4090&range=30d')
    await whenDrawn(page)
    const [zoomed] = await askedWhile(page, () => drag(page))
    const { from, to, range } = parametersOf(page)
    expect(range).toBe('custom')
    expect(Number(to) - Number(from)).toBeLessThan(5 * 86_400)
    expect(Number(to) - Number(from)).toBeGreaterThan(86_400)
    expect(zoomed?.step).toBe(900)
    await plots(page)
      .first()
      .dblclick({ position: { x: 200, y: 80 } })
    await expect.poll(() => parametersOf(page).range).toBe('30d')
  })

  it('goes with one finger along the time, and leaves up and down to the page', async () => {
    const page = await web.visitAsHost('charts?gpu=RTX+4090&range=30d', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    await whenDrawn(page)
    await legend(page, 0)
      .getByText(/^Your prices?$/)
      .waitFor()
    const finger = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] })
    const swipe = async (across: number, down: number) => {
      await plots(page).first().scrollIntoViewIfNeeded()
      const box = await plots(page).first().boundingBox()
      if (!box) throw new Error('the chart has no place')
      const [x, y] = [box.x + box.width * 0.5, box.y + 100]
      await touch('touchStart', x, y)
      for (const part of [0.3, 0.6, 1]) await touch('touchMove', x + across * part, y + down * part)
      await touch('touchEnd')
    }
    await swipe(2, -60)
    expect(parametersOf(page).range).toBe('30d')
    await page.evaluate('scrollTo(0, 0)')
    await swipe(90, 3)
    await expect.poll(() => parametersOf(page).range).toBe('custom')
    const { from, to } = parametersOf(page)
    expect(Number(to) - Number(from)).toBeLessThan(15 * 86_400)
    const back = page.getByRole('button', { name: 'Zoom out' })
    expect((await back.boundingBox())?.x).toBeLessThan(100)
    await back.click()
    await expect.poll(() => parametersOf(page).range).toBe('30d')
  })
})
