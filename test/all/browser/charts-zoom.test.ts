import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openWeb, type Web } from '../../browser.ts'
import { act, askedWhile, choose, drag, legend, parametersOf, plots, whenDrawn } from '../../pages/charts.ts'

describe.skipIf(!hasBrowser)('a zoom of the charts page', () => {
  let web: Web
  beforeAll(async () => {
    web = await openWeb()
  })
  afterAll(() => web?.close())

  it('keeps what is dragged while it is drawn again', async () => {
    const page = await web.visitAsHost('charts?gpu=RTX+4090&range=30d', { colorScheme: 'light' })
    await whenDrawn(page)
    await legend(page, 0)
      .getByText(/^Your prices?$/)
      .waitFor()
    const box = await plots(page).first().boundingBox()
    if (!box) throw new Error('the chart has no place')
    await page.mouse.move(box.x + box.width * 0.5, box.y + 80)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.55, box.y + 90, { steps: 2 })
    // The new window makes every chart draw again.
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.getByRole('button', { name: 'Use the light theme' }).waitFor()
    await page.mouse.move(box.x + box.width * 0.6, box.y + 90, { steps: 2 })
    await page.mouse.up()
    await expect.poll(() => parametersOf(page).range).toBe('custom')
  })

  it('shows the same bucket everywhere after a zoom', async () => {
    const page = await web.visitAsHost('charts?gpu=RTX+4090&range=30d')
    await whenDrawn(page)
    await askedWhile(page, () => drag(page))
    const places = () =>
      plots(page).evaluateAll((all) => all.map((plot) => plot.getAttribute('aria-valuetext')?.split(': ')[0]))
    await expect.poll(async () => new Set(await places()).size).toBe(1)
    await expect.poll(() => page.locator('.legend time').count()).toBe(0)
  })

  it('zooms by keyboard within the shown range, announces it, and shows a way back', async () => {
    const page = await web.visitAsHost('charts?gpu=RTX+4090&range=24h')
    await whenDrawn(page)
    const now = Date.now() / 1000
    await plots(page).first().focus()
    await page.keyboard.press('+') // at the newest bucket
    await expect.poll(() => parametersOf(page).range).toBe('custom')
    const { from, to } = parametersOf(page)
    expect(Number(to)).toBeLessThanOrEqual(now + 60)
    // A quarter of the shown range, which begins with the bucket of 24 hours ago.
    expect(Number(to) - Number(from)).toBeGreaterThanOrEqual(86_400 / 4)
    expect(Number(to) - Number(from)).toBeLessThanOrEqual((86_400 + 900) / 4)
    await page.getByText(/^\d+ \w+ 20\d\d, \d\d:\d\d ?–.*\d\d:\d\d$/).waitFor()
    await page.getByRole('button', { name: 'Zoom out' }).click()
    await expect.poll(() => parametersOf(page).range).toBe('24h')
    await expect.poll(() => page.getByRole('button', { name: 'Zoom out' }).count()).toBe(0)
  })

  it('goes back from a zoom whatever was touched meanwhile, and leaves the browser its keys', async () => {
    const page = await web.visitAsHost('charts?gpu=RTX+4090&range=24h')
    await whenDrawn(page)
    await plots(page).first().focus()
    await page.keyboard.press('+')
    await expect.poll(() => parametersOf(page).range).toBe('custom')
    await page.keyboard.press('+')
    await legend(page, 0).getByRole('button', { name: 'Rented' }).click()
    await choose(page, 'Show', 'machines')
    await page.keyboard.press('Escape') // the panel reaches over the chart
    await plots(page)
      .first()
      .dblclick({ position: { x: 200, y: 80 } })
    await plots(page)
      .first()
      .dblclick({ position: { x: 200, y: 80 } })
    await expect.poll(() => parametersOf(page).range).toBe('24h')
    expect(parametersOf(page)).toMatchObject({ hidden: 'Rented', unit: 'machines' })

    const [download] = await Promise.all([page.waitForEvent('download'), act(page, 'CSV')])
    expect(readFileSync(await download.path(), 'utf8')).not.toContain('Rented')
    const isPrevented = await page.evaluate(`(() => {
      const event = new KeyboardEvent('keydown', { key: '-', ctrlKey: true, bubbles: true, cancelable: true })
      document.querySelector('.plot').dispatchEvent(event)
      return event.defaultPrevented
    })()`)
    expect(isPrevented).toBe(false)
  })
})
