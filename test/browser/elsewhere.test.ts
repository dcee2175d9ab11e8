import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCatalog, readCatalog } from '../../collect/catalog.ts'
import { hasBrowser, openWeb, violationsOf, type Web } from '../browser.ts'
import { catalogCsv, openBucket, zipOf } from '../bucket.ts'
import { whenListed } from '../pages/charts.ts'

describe.skipIf(!hasBrowser)('the page Elsewhere', () => {
  let web: Web
  beforeAll(async () => {
    web = await openWeb()
  })
  afterAll(() => web?.close())

  it('explains how to begin if no catalog is read, and leaves the market table unchanged', async () => {
    const page = await web.visitAsHost('elsewhere')
    await page.getByText('No list prices yet').waitFor()
    await page.getByRole('link', { name: 'Market' }).click()
    await whenListed(page)
    expect(await page.getByText('Cloud from').count()).toBe(0)
  })

  it('shows the cheapest cloud of each type, and of one each provider beside the market', async () => {
    const bucket = await openBucket()
    const serve = (provider: string, rows: Parameters<typeof catalogCsv>[0]) => {
      bucket.zips[provider] = zipOf({ [`${provider}.csv`]: catalogCsv(rows) })
    }
    const a100 = { gpu: 'A100', memory: 80, gpus: 8 }
    serve('aws', [
      { ...a100, instance: 'p4de.24xlarge', price: 40.96 },
      { ...a100, instance: 'p4de.24xlarge', price: 16, spot: true },
      { instance: 'g6.xlarge', price: 0.8048 },
      { instance: 'trn1.2xlarge', price: 1.34, gpu: 'Trainium', memory: 32 },
    ])
    serve('lambdalabs', [
      { ...a100, instance: 'gpu_8x_a100_80gb_sxm4', price: 14.32, location: 'us-south-1' },
    ])
    serve('runpod', [
      { instance: 'NVIDIA GeForce RTX 4090', gpu: 'RTX4090', price: 0.69, location: 'EU-RO-1' },
    ])
    await readCatalog(web, openCatalog(`gpuhunt=${bucket.url}`, undefined), AbortSignal.timeout(60_000))
    bucket.close()

    const page = await web.visitAsHost('elsewhere')
    const row = page.getByRole('row', { name: /^A100 SXM4/ })
    await expect.poll(() => row.textContent()).toMatch(/\$1\.79 lambdalabs.*\$2\.00 aws$/)
    await page.getByText('1 name with unknown GPUs').click()
    await page.getByText('Trainium (32 GB) of aws: 1 offer from $1.34').waitFor()
    await page.getByText('Failed 1 time: The source answered with status 403.').first().waitFor()
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'elsewhere')

    await row.getByRole('link').click()
    await expect
      .poll(() => page.getByRole('row', { name: /^lambdalabs/ }).textContent())
      .toContain('us-south-1')
    await expect.poll(() => page.locator('.elsewhere canvas').count()).toBe(2)
    await page.getByText('This market, median').nth(1).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'elsewhere-one')
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await web.look(page, 'elsewhere-phone')

    await page.setViewportSize({ width: 1280, height: 900 })
    await page.getByRole('link', { name: 'Market' }).click()
    await page.getByRole('button', { name: 'Cloud from' }).waitFor()
    await web.look(page, 'market-with-clouds')
  })
})
