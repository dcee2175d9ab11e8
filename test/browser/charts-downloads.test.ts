import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openSharedWeb, type Web } from '../browser.ts'
import { act, whenDrawn } from '../pages/charts.ts'

describe.skipIf(!hasBrowser)('a chart', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())

  it('gives away what it shows: as CSV, JSON, PNG and a curl command', async () => {
    const page = await web.visitAsHost('charts?gpu=RTX+4090&step=86400')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await whenDrawn(page)
    const fetched = async (name: string) => {
      const [download] = await Promise.all([page.waitForEvent('download'), act(page, name)])
      return { name: download.suggestedFilename(), content: readFileSync(await download.path()) }
    }
    const csv = await fetched('CSV')
    expect(csv.name).toBe('rackrate-simulated-price-of-rtx-4090.csv')
    const [head, ...rows] = csv.content.toString().trim().split('\r\n')
    expect(head).toMatch(
      /^time,Rented p10,Rented median,Rented p90,Available p10,Available median,Available p90/,
    )
    expect(rows.length).toBeGreaterThan(6)
    const json = JSON.parse((await fetched('JSON')).content.toString())
    expect(json).toMatchObject({ simulated: true, unit: 'USD per GPU-hour' })
    expect(json.points).toHaveLength(rows.length)
    const png = await fetched('PNG')
    expect(png.content.subarray(1, 4).toString()).toBe('PNG')
    expect(png.content.length).toBeGreaterThan(5000)
    const widthOf = (file: Buffer) => file.readUInt32BE(16)
    const all = await fetched('PNG of all charts')
    expect(all.name).toBe('rackrate-charts.png')
    expect(widthOf(all.content)).toBe(2 * widthOf(png.content))
    expect(all.content.length).toBeGreaterThan(2 * png.content.length)

    await act(page, 'Copy curl')
    const clipboard = () => page.evaluate('navigator.clipboard.readText()')
    await expect.poll(clipboard).toContain('http')
    const copied = String(await clipboard())
    expect(copied).not.toContain(web.hostKey)
    const [, address = ''] = /'(http[^']+)'$/.exec(copied) ?? []
    const answer = await fetch(address, { headers: { authorization: `Bearer ${web.hostKey}` } })
    const { gpus } = (await answer.json()) as {
      gpus: Record<string, { pricing: { avail_median: number[] } }>
    }
    expect(gpus['RTX 4090']?.pricing.avail_median).toEqual(
      json.points.map((point: Record<string, number>) => point['Available median']),
    )
  })
})
