import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openSharedWeb, violationsOf, type Web } from '../browser.ts'
import { act, whenDrawn } from '../pages/charts.ts'

describe.skipIf(!hasBrowser)('the charts page', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())

  it('shares a chart by a link, for other pages too, until it is revoked', async () => {
    const page = await web.visitAsHost('charts?gpu=RTX+4090&range=7d&verified=all')
    await whenDrawn(page)
    await act(page, 'Share')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('heading', { name: 'Share: Price of RTX 4090, last 7 d' }).waitFor()
    await dialog.getByRole('button', { name: 'Make a link' }).click()
    const link = await dialog.getByLabel('Link', { exact: true }).inputValue()
    await expect
      .poll(() => dialog.getByLabel('HTML to embed').inputValue())
      .toContain(`<iframe src="${link}"`)
    await dialog.getByRole('button', { name: /^Revoke: Price of RTX 4090/ }).waitFor()
    await web.look(page, 'share')
    expect(await violationsOf(page)).toEqual([])

    // As a stranger sees it, in a frame of another site.
    const site = createServer((_request, response) =>
      response
        .setHeader('content-type', 'text/html')
        .end(`<title>Elsewhere</title><iframe src="${link}" title="GPU prices" width="720" height="420">`),
    )
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    const stranger = await web.visit(`http://localhost:${(site.address() as AddressInfo).port}/`)
    const frame = stranger.frameLocator('iframe')
    await frame.locator('canvas').waitFor()
    await frame.getByText('all machines;').waitFor()
    await frame.getByText('Simulated market.').waitFor()
    await expect.poll(() => frame.locator('.legend').textContent()).toMatch(/Rented\$.*Available\$/)
    expect(await frame.locator('body').innerText()).not.toMatch(/your price/i)
    await web.look(stranger, 'shared-framed')
    await stranger.goto(link)
    await stranger.locator('.chart canvas').waitFor()
    await expect.poll(() => stranger.title()).toBe('Price of RTX 4090 – rackrate')
    await web.look(stranger, 'shared')
    expect(await violationsOf(stranger)).toEqual([])
    const preview = await stranger.locator('meta[property="og:image"]').getAttribute('content')
    await stranger.setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => stranger.evaluate('document.documentElement.scrollWidth')).toBe(390)
    const picture = await fetch(preview ?? '')
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
    writeFileSync('test-artefacts/shared-preview.png', Buffer.from(await picture.arrayBuffer()))

    await dialog.getByRole('button', { name: /^Revoke: Price of RTX 4090/ }).click()
    await dialog.getByText('Your shared charts').waitFor({ state: 'detached' })
    await stranger.reload()
    await stranger.getByText('This link is unknown or no longer works').waitFor()
    expect(await violationsOf(stranger)).toEqual([])
    site.close()
  })
})
