import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { adviceRecordAnswer } from '../../contract/advice-record.ts'
import type { AutopilotDecision } from '../../contract/autopilot-decisions.ts'
import { keepAdvice } from '../../src/hosts/advice/keep-advice.ts'
import { openMarkets } from '../../src/rules/markets.ts'
import { outcomeWords } from '../../web/machines/outcome-words.ts'
import { hasBrowser, openWeb, violationsOf, type Web } from '../browser.ts'
import { parametersOf } from '../pages/charts.ts'
import { figure, known, type Machine, machinesOf, whenFleetListed, whenPriced } from '../pages/desk.ts'

describe.skipIf(!hasBrowser)('the page of the own machines', () => {
  let web: Web
  let machines: Machine[]
  beforeAll(async () => {
    web = await openWeb()
    machines = await machinesOf(web)
  })
  afterAll(() => web?.close())

  it('shows blocks instead of dashes while machines are being read', async () => {
    const page = await web.visitAsHost('market')
    await page.route('**/api/v0/metrics/machines?*', () => {})
    await page.goto(`${web.url}machines`)
    await page.locator('.sums[aria-busy=true] strong').first().waitFor()
    expect(await page.evaluate("getComputedStyle(document.querySelector('.sums strong')).color")).toBe(
      'rgba(0, 0, 0, 0)',
    )
    expect(await page.evaluate("getComputedStyle(document.querySelector('.fleet'), '::after').content")).toBe(
      '""',
    )
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  it('has a row for each own machine with what it earned, and adds them up', async () => {
    const page = await web.visitAsHost('machines')
    await whenFleetListed(page)
    const rows = page.locator('.fleet tbody tr')
    await expect.poll(() => rows.count()).toBe(machines.length)
    const sum = machines.reduce((total, { figures }) => total + (figures?.income_7d ?? 0), 0)
    await expect
      .poll(() => figure(page, 'Earned, 7 days').innerText())
      .toBe(`$${Math.round(sum).toLocaleString('en-US')}`)
    await page.locator('.price-scale').first().waitFor()
    await web.look(page, 'fleet')
    expect(await violationsOf(page)).toEqual([])

    await page.getByRole('button', { name: 'Earned, 7 days', exact: true }).click()
    const best = machines.toSorted((a, b) => (b.figures?.income_7d ?? 0) - (a.figures?.income_7d ?? 0))[0]
    await expect.poll(() => rows.first().innerText()).toContain(`${best?.id} · `)
    await expect.poll(() => page.locator('[aria-sort=descending]').innerText()).toContain('Earned')
    await page.getByLabel('GPU type or number').fill(String(best?.id))
    // The id of a machine may be part of the name of a GPU.
    await expect.poll(() => rows.count()).toBeLessThan(machines.length)
    const ids = async () => (await rows.allInnerTexts()).map((text) => /(\d+) · /.exec(text)?.[1])
    await expect.poll(ids).toContain(String(best?.id))
    await page.getByLabel('GPU type or number').fill('nothing like it')
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByRole('button', { name: 'Classes' }).click()
    await expect.poll(() => rows.count()).toBeLessThanOrEqual(machines.length)
    await web.look(page, 'fleet-classes')
  })

  it('shows what came of advice that is a week old', async () => {
    const [market] = openMarkets(web)
    if (!market) throw new Error('no market')
    const keeping = { site: web.postgres, interval: 3600 }
    await keepAdvice(market, keeping)
    await web.postgres.query("UPDATE price_advice SET given_at = given_at - interval '8 days'")
    await web.postgres.query('UPDATE alert_progress SET slot = 0')
    await keepAdvice(market, keeping)
    const { body } = await web.get('/api/v0/metrics/machines/advice/record', web.hostKey)
    const { followed, not_followed } = body as z.infer<typeof adviceRecordAnswer>
    expect(followed.count + not_followed.count).toBeGreaterThan(3)
    const page = await web.visitAsHost('machines')
    const section = page.getByRole('region', { name: 'Was the advice right?' })
    for (const [title, of] of [
      ['followed', followed],
      ['not followed', not_followed],
    ] as const)
      await expect.poll(() => section.innerText()).toContain(outcomeWords(title, of))
    await expect.poll(() => section.innerText()).toMatch(/pieces? of advice ha(s|ve) no outcome yet/)
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'advice-record')
  })

  it('leads from a machine to its price', async () => {
    const page = await web.visitAsHost('machines')
    await whenFleetListed(page)
    await page.locator('.fleet tbody tr').first().getByRole('link').last().focus()
    await page.keyboard.press('Enter')
    await whenPriced(page)
    expect(parametersOf(page).machine).toBeDefined()
  })

  it('leads from the list to recommended prices that are set once, in three steps', async () => {
    const costs = { kwh_price: 0.1, fee_percent: 10, watts_idle: null, watts_load: null }
    const none = { other_per_month: null, purchase_price: null, months: null }
    const put = await web.send('PUT', '/api/v0/metrics/costs', web.hostKey, { ...costs, ...none })
    expect(put.status, JSON.stringify(put.body)).toBe(200)
    const page = await web.visitAsHost('machines', { viewport: { width: 1440, height: 900 } })
    await whenFleetListed(page)
    const all = page.getByRole('button', { name: /^Select all \d+$/ })
    const count = Number((await all.innerText()).replace(/\D/g, ''))
    await all.click()
    const review = page.getByRole('button', { name: new RegExp(`^Review ${count} price changes?$`) })
    await review.click()
    const rows = page.getByRole('region', { name: 'Chosen prices' }).locator('tbody tr')
    await expect.poll(() => rows.count()).toBe(count)
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'price-review')
    await page.setViewportSize({ width: 390, height: 844 })
    await web.look(page, 'price-review-phone')
    await page.getByRole('button', { name: count === 1 ? 'Set 1 price' : `Set ${count} prices` }).click()
    const said = page.locator('.price-review output div')
    await expect.poll(() => said.count()).toBe(count)
    await web.look(page, 'prices-set-phone')
    const { body } = await web.get('/api/v0/metrics/autopilot/decisions', web.hostKey)
    const { decisions } = body as { decisions: AutopilotDecision[] }
    expect(decisions).toHaveLength(count)
    // A machine with too few similar machines is left alone, with the reason.
    for (const { state, refusal } of decisions) expect(refusal ?? state).toMatch(/^(read_back|thin)$/)
    expect(decisions.map(({ state }) => state)).toContain('read_back')
  })

  it('reads the lists once after several hundred prices, after the last of them', async () => {
    const page = await web.visitAsHost('machines')
    await whenFleetListed(page)
    const machine = known(machines)
    const many = Array.from({ length: 250 }, (_, n) => ({ ...machine, id: n + 1, online: true }))
    const read: string[] = []
    await page.route('**/api/v0/metrics/machines?*', (route) => {
      const { searchParams } = new URL(route.request().url())
      const after = Number(searchParams.get('after') ?? 0)
      if (searchParams.get('figures') === 'brief') read.push(`machines after ${after}`)
      const next = after + 100 < many.length ? after + 100 : null
      return route.fulfill({
        json: { success: true, slot: 1, machines: many.slice(after, after + 100), next },
      })
    })
    await page.route('**/api/v0/metrics/autopilot/apply', (route) => {
      const { changes } = route.request().postDataJSON()
      read.push(`${changes.length} prices`)
      return route.fulfill({ json: { success: true, decisions: [] } })
    })
    await page.reload()
    await page.getByRole('button', { name: 'Select all 250' }).click()
    read.length = 0
    await page.getByRole('button', { name: 'Review 250 price changes' }).click()
    await page.getByRole('button', { name: 'Set 250 prices' }).click()
    const prices = ['100 prices', '100 prices', '50 prices']
    await expect
      .poll(() => read)
      .toEqual([...prices, 'machines after 0', 'machines after 100', 'machines after 200'])
  })

  it('asks for the advice on all machines again while some are pending', async () => {
    const page = await web.visitAsHost('machines')
    await whenFleetListed(page)
    const pending = [3, 1, 0]
    let asked = 0
    await page.clock.install()
    await page.route('**/api/v0/metrics/machines/advice', async (route) => {
      const answer = await route.fetch()
      const json = { ...(await answer.json()), pending: pending[asked] ?? 0 }
      asked += 1
      return route.fulfill({ response: answer, json })
    })
    await page.reload()
    for (const times of [1, 2, 3]) {
      await expect.poll(() => asked).toBe(times)
      await page.waitForLoadState('networkidle')
      await page.clock.runFor(6000)
    }
    await page.clock.runFor(6000)
    expect(asked).toBe(3)
  })
})
