import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GpuForecast } from '../../contract/forecast.ts'
import { hasBrowser, openSharedWeb, violationsOf, type Web } from '../browser.ts'
import { act, askedWhile, choose, legend, option, parametersOf, whenDrawn } from '../pages/charts.ts'

describe.skipIf(!hasBrowser)('the charts page', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())

  it('starts with the GPU types of the host, marks the market as simulated, and shows its age', async () => {
    const page = await web.visitAsHost('charts')
    await whenDrawn(page)
    const { machines } = (await web.get('/api/v0/metrics/machines', web.hostKey)).body as {
      machines: { gpu_name: string }[]
    }
    const own = new Set(machines.map(({ gpu_name }) => gpu_name))
    const [first = ''] = (parametersOf(page).gpu ?? '').split(',')
    expect(own.has(first)).toBe(true)
    // The style of the chart was once part of the market page, which this visit has not opened.
    const fills =
      '[...document.querySelectorAll(".sparkline path")].map((path) => getComputedStyle(path).fill)'
    expect(new Set(await page.evaluate<string[]>(fills))).toEqual(new Set(['none']))
    await page.getByText('Simulated market', { exact: true }).waitFor()
    // The market has a snapshot an hour: when the hour has turned since, the page calls it old.
    await page.getByText(/^Snapshot \d\d:\d\d, (just now|\d+ (s|min|h) old)$/).waitFor()
    await web.look(page, 'charts')
    expect(await violationsOf(page)).toEqual([])
  })

  it('shows the figures of the API', async () => {
    const to = Math.floor(Date.now() / 60_000) * 60
    const from = to - 7 * 86_400
    const page = await web.visitAsHost(
      `charts?gpu=RTX+4090&range=custom&from=${from}&to=${to}&step=21600&verified=all`,
    )
    await whenDrawn(page)
    const { body } = await web.get(
      `/api/v0/metrics/gpu/history?gpu_name=RTX+4090&verified=all&step=21600&start=${from}&end=${to}`,
    )
    const { pricing, supply_demand } = (body as { gpus: Record<string, never> }).gpus[
      'RTX 4090'
    ] as unknown as {
      pricing: Record<string, number[]>
      supply_demand: Record<string, number[]>
    }
    const prices = ['avail_p10', 'avail_median', 'avail_p90'].map((name) => pricing[name]?.at(-1) ?? 0)
    const [low, middle, high] = prices.map((price) => `$${price < 1 ? price.toFixed(3) : price.toFixed(2)}`)
    await expect.poll(() => legend(page, 0).innerText()).toContain(`${middle} (most: ${low} to ${high})`)
    const rented =
      (supply_demand.rented_verified_gpus?.at(-1) ?? 0) + (supply_demand.rented_unverified_gpus?.at(-1) ?? 0)
    await expect
      .poll(() => legend(page, 1).innerText())
      .toMatch(new RegExp(`Rented\\s+${rented.toLocaleString('en-US')}\\b`))

    await act(page, 'Table')
    const newest = page.getByRole('table').locator('tbody tr').first()
    await expect.poll(() => newest.innerText()).toContain(middle)
    await expect
      .poll(() => page.getByRole('table').locator('tbody tr').count())
      .toBe(pricing.timestamps?.length)
  })

  it('shows the forecast of the API with its band and how such forecasts fared', async () => {
    const page = await web.visitAsHost('charts?gpu=RTX+4090')
    await page.getByRole('button', { name: 'Forecast', exact: true }).click()
    const { body } = await web.get('/api/v0/metrics/gpu/forecast?gpu_name=RTX_4090', web.hostKey)
    const { occupancy } = (body as { gpus: Record<string, GpuForecast> }).gpus['RTX 4090'] ?? {}
    const forecast = page.getByRole('region', { name: 'Forecast', exact: true })
    await expect.poll(() => forecast.locator('canvas').count()).toBe(3)
    await forecast.getByText(/^Tomorrow an RTX 4090 is probably .* in 8 of 10 cases/).waitFor()
    await forecast.getByText('All figures, and how good').click()
    const row = forecast.getByRole('row', { name: 'Occupancy, in a day' })
    const percent = (share: number | null | undefined) => `${(100 * (share ?? Number.NaN)).toFixed(1)} %`
    const [figure] = occupancy ?? []
    await row.getByText(`${percent(figure?.low)} to ${percent(figure?.high)}`).waitFor()
    await row.getByText(`${percent(figure?.record.coverage)} of ${figure?.record.forecasts}`).waitFor()
    await forecast.getByText(/^1 GPU at \$[\d.]+ or less: tomorrow /).waitFor()
    await web.look(page, 'forecast')
  })

  it('has the five figures of a single GPU type, and leads to an alert on it', async () => {
    const page = await web.visitAsHost('charts?gpu=RTX+4090&verified=all')
    await whenDrawn(page)
    const now = page.locator('dl.now[aria-busy=false]')
    await expect
      .poll(() => now.locator('dt').allTextContents())
      .toEqual(['Rented median', 'Available median', 'Occupancy', 'GPUs', 'Hours until rented'])
    await expect.poll(() => now.textContent()).toMatch(/cheapest \$[\d.]+.*\d+ free, [+−]\d+ in a week/)
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'charts-figures')
    await page.getByRole('button', { name: 'Tell me when…' }).click()
    await expect.poll(() => page.locator('input[list=gpu-names]').inputValue()).toBe('RTX 4090')
  })

  it('asks with every filter, and a link shows the same', async () => {
    const page = await web.visitAsHost('charts?gpu=RTX+4090')
    await whenDrawn(page)
    const asksWith = async (label: string, value: string, expected: string) => {
      const [question] = await askedWhile(page, () => choose(page, label, value))
      expect(question?.path).toContain(expected)
    }
    await asksWith('Machines', 'all', 'verified=all')
    await asksWith('Hosting', 'community', 'hosting_type=community')
    await asksWith('Rig size', '4', 'num_gpus=4')
    await asksWith('Step', '21600', 'step=21600')
    for (const range of ['24h', '1y'])
      await askedWhile(page, () => page.getByRole('button', { name: range, exact: true }).click())
    await page.getByText('Custom').click()
    await page.getByLabel('From', { exact: true }).fill('2026-01-02T03:00')
    await page.getByLabel('To', { exact: true }).fill('2026-01-01T03:00')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText('The start must be before the end.').waitFor()
    await page.getByLabel('To', { exact: true }).fill('2026-01-09T03:00')
    const [custom] = await askedWhile(page, () => page.getByRole('button', { name: 'Show' }).click())
    expect(custom?.path).toContain('start=1767322800&end=1767927600')
    await page.getByText(/^Data begins/).waitFor()

    await page.getByRole('button', { name: '7d', exact: true }).click()
    await page.getByText('GPUs: RTX 4090').click()
    await page.getByLabel('Find a GPU type').fill('3090')
    const [two] = await askedWhile(page, () =>
      page.getByRole('checkbox', { name: /^RTX 3090 [\d,]+ GPUs/ }).check(),
    )
    expect(two?.path).toContain('gpu_name=RTX+4090%2CRTX+3090')
    await page.keyboard.press('Escape')
    await choose(page, 'Show', 'machines')
    await choose(page, 'Performance', 'tflops')
    await legend(page, 0).getByRole('button', { name: 'Rented' }).click()
    // The picked range is shown.
    await page.getByText('Supply of RTX 3090').waitFor()
    await page.getByRole('button', { name: 'RTX 4090' }).click()
    await whenDrawn(page)
    expect(parametersOf(page)).toEqual({
      gpu: 'RTX 4090,RTX 3090',
      verified: 'all',
      hosting_type: 'community',
      num_gpus: '4',
      step: '21600',
      unit: 'machines',
      score: 'tflops',
      hidden: 'Rented',
      focus: 'RTX 4090',
    })

    const other = await web.visitAsHost(`charts${new URL(page.url()).search}`)
    await whenDrawn(other)
    const seen = (one: Page) => one.locator('main').innerText()
    await expect.poll(async () => (await seen(other)) === (await seen(page))).toBe(true)
    await expect.poll(async () => (await option(other, 'Show')).inputValue()).toBe('machines')
    await page.goBack()
    await expect.poll(() => parametersOf(page).focus).toBe('RTX 3090')
  })

  it('leads from a range without data to where the data are', async () => {
    const now = Math.floor(Date.now() / 1000)
    const page = await web.visitAsHost(
      `charts?gpu=RTX+4090&range=custom&from=${now + 86_400}&to=${now + 3 * 86_400}`,
    )
    await page.getByText(/^Data ends \d+ \w+ 20\d\d\./).waitFor()
    await web.look(page, 'no-data')
    expect(await violationsOf(page)).toEqual([])
    expect(await page.locator('canvas').count()).toBe(0)
    await page.getByRole('button', { name: 'Show it' }).click()
    await page.locator('.charts[aria-busy=false] canvas').first().waitFor()
    await expect.poll(() => legend(page, 0).innerText()).toContain('$')

    const { names } = (await web.get('/api/v0/metrics/gpu/names')).body as {
      names: { name: string; first_seen: number }[]
    }
    const first = names.find(({ name }) => name === 'RTX 4090')?.first_seen
    const [all] = await askedWhile(page, () => page.getByRole('button', { name: 'All', exact: true }).click())
    expect(all?.path).toContain(`start=${first}`)
    await choose(page, 'Rig size', '16')
    await choose(page, 'Hosting', 'secure_cloud')
    await page.keyboard.press('Escape') // the open panel is above the button
    await page.getByRole('button', { name: 'Remove the filters' }).click()
    await page.locator('.charts[aria-busy=false] canvas').first().waitFor()
    expect(parametersOf(page).num_gpus).toBeUndefined()
    await page.goto(`${web.url}charts?gpu=Voodoo+2`)
    await page.getByText('The market has never had a GPU called Voodoo 2.').waitFor()
  })
})
