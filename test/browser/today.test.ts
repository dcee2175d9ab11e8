import type { Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FleetAdviceAnswer } from '../../contract/fleet-advice.ts'
import type { OffersAnswer } from '../../contract/offers.ts'
import type { OwnIncomeAnswer } from '../../contract/own-income.ts'
import type { RecordingAnswer } from '../../contract/recording.ts'
import { createKey } from '../../platform/security/api-keys.ts'
import { price as priceWords } from '../../web/format.ts'
import { hasBrowser, openSharedWeb, violationsOf, type Web } from '../browser.ts'
import { type Machine, machinesOf, money, phone } from '../pages/desk.ts'

describe.skipIf(!hasBrowser)('the first page', () => {
  let web: Web
  let machines: Machine[]
  beforeAll(async () => {
    web = await openSharedWeb()
    machines = await machinesOf(web)
  })
  afterAll(() => web?.close())

  it('shows the earnings of a host and the prices to change, without a click', async () => {
    const page = await web.visitAsHost()
    const week = machines.reduce((sum, { figures }) => sum + (figures?.income_7d ?? 0), 0)
    await page.locator('.earned .headline').getByText(money(week)).waitFor()
    const types = new Set(machines.map(({ gpu_name }) => gpu_name))
    const names = await page.locator('.gpu-types tbody th').allInnerTexts()
    for (const name of names) expect(types).toContain(name)
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'today')

    const { body } = await web.get('/api/v0/metrics/machines/advice', web.hostKey)
    const { value = 0, low = 0, high = 0 } = (body as FleetAdviceAnswer).gain_per_day ?? {}
    await page.getByText(`Together ${money(low)} to ${money(high)} more a day.`).waitFor()
    await page.getByText(`+${money(value)} a day`).waitFor()

    const review = page.getByRole('button', { name: /^Review \d+ prices?$/ })
    await review.click()
    const rows = page.getByRole('region', { name: 'Chosen prices' }).locator('tbody tr')
    const changes = Number((await review.innerText()).replace(/\D/g, ''))
    await expect.poll(() => rows.count()).toBe(changes)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  it('shows what is rented before the figures of the machines are there', async () => {
    const page = await web.visitAsHost('docs')
    const held: Route[] = []
    await page.route('**/api/v0/metrics/machines?*figures=brief*', (route) => {
      held.push(route)
    })
    await page.goto(web.url)
    const rented = machines.reduce((sum, { rented_gpus }) => sum + (rented_gpus ?? 0), 0)
    const gpus = machines.reduce((sum, { num_gpus }) => sum + num_gpus, 0)
    await page.getByText(`${rented} of ${gpus} GPUs are rented now`).waitFor()
    await page.getByRole('heading', { name: 'Your GPU types' }).waitFor()
    await page.locator('.gpu-types tbody tr').first().waitFor()
    await Promise.all(held.map((route) => route.continue()))
    await page.locator('.to-do li').first().waitFor()
  })

  it('shows the earnings of a day, a week or a month, which the address keeps', async () => {
    const page = await web.visitAsHost()
    const sumOf = (name: 'income_1d' | 'income_7d' | 'income_30d') =>
      money(machines.reduce((sum, { figures }) => sum + (figures?.[name] ?? 0), 0))
    const headline = page.locator('.earned .headline')
    await headline.getByText(sumOf('income_7d')).waitFor()
    const period = page.getByRole('group', { name: 'Period' })
    await period.getByRole('button', { name: 'Month' }).click()
    await page.getByText('Earned in the last 30 days').waitFor()
    await headline.getByText(sumOf('income_30d')).waitFor()
    await page.getByText('Occupancy, 30 days').waitFor()
    // All days of the month are what the sentence is about.
    const days = page.locator('.income-bars .day')
    await expect.poll(() => days.count()).toBe(30)
    expect(await page.locator('.income-bars .day.strong').count()).toBe(30)
    await page.reload()
    await headline.getByText(sumOf('income_30d')).waitFor()
    await period.getByRole('button', { name: 'Day' }).click()
    await headline.getByText(sumOf('income_1d')).waitFor()
    await page.getByText('Last 7 days').waitFor()
    expect(await violationsOf(page)).toEqual([])
  })

  it('shows the income of each day on the keyboard and in a table', async () => {
    const page = await web.visitAsHost()
    const { body } = await web.get('/api/v0/metrics/machines/income', web.hostKey)
    const days = (body as OwnIncomeAnswer).days.map(({ income }) => money(income ?? 0))
    const rows = page.locator('.income-bars tbody tr')
    await expect.poll(() => rows.count()).toBeGreaterThan(2)
    expect(await rows.last().locator('td').first().innerText()).toBe(days.at(-1))
    await page.locator('.income-bars .plot').focus()
    await page.keyboard.press('ArrowLeft')
    await page.getByText(`, so far ${days.at(-1)} earned`).waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.getByText(` ${days.at(-2)} earned`).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Earned a day').waitFor()
  })

  it('fits a phone, with five places in the bar and the others behind the account', async () => {
    const page = await web.visitAsHost('', phone)
    await page.locator('.gpu-types tbody tr').first().waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    const places = page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
    const names = (await places.allInnerTexts()).map((text) => /^\w+/.exec(text)?.[0])
    expect(names).toEqual(['Today', 'Market', 'Machines', 'Pricing', 'Alerts'])
    await page.getByLabel('Account and settings').click()
    await page.getByRole('link', { name: 'Data' }).click()
    await page.getByText('Also available as an').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'today-phone')
  })

  it('counts the prices to change in the menu, as many as the page lists', async () => {
    const page = await web.visitAsHost('market')
    const { body } = await web.get('/api/v0/metrics/machines/advice', web.hostKey)
    const { changes, offline } = body as FleetAdviceAnswer
    expect(changes.length).toBeGreaterThan(0)
    const menu = page.getByRole('navigation', { name: 'Pages' })
    await menu
      .getByRole('link', { name: new RegExp(`^Pricing\\W+${changes.length} prices? to change`) })
      .waitFor()
    const offlineLinks = menu.getByRole('link', { name: 'offline' })
    await expect.poll(() => offlineLinks.count()).toBe(offline > 0 ? 1 : 0)
    expect(await violationsOf(page)).toEqual([])
  })

  it('finds pages, machines and GPU types with the keyboard', async () => {
    const page = await web.visitAsHost()
    await page.locator('.gpu-types tbody tr').first().waitFor()
    const field = page.getByRole('combobox', { name: 'Page, machine, GPU type or setting' })
    await page.keyboard.press('/')
    await field.fill('clouds')
    await page.getByRole('option', { name: 'Clouds' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'jump')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/elsewhere$/)
    const [first] = machines
    await page.keyboard.press('Control+k')
    await field.fill(`${first?.id}`)
    await expect.poll(() => page.getByRole('option').first().innerText()).toContain(`${first?.gpu_name}`)
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/price\\?.*machine=${first?.id}`))
    await page.keyboard.press('Control+k')
    await field.fill('no such thing')
    await page.getByText('Nothing has this name.').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  it('shows an admin without machines that the recording is whole', async () => {
    const page = await web.visit('', { key: web.adminKey })
    await page.getByRole('heading', { name: 'Health of the recording' }).waitFor()
    await page.getByText('The market was recorded whole in the last 7 days').waitFor()
    await page.getByRole('img', { name: /100\W% of the snapshots since/ }).waitFor()
    await page.getByRole('heading', { name: 'Nothing to do for the recording' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'today-admin')
  })

  it('names to an admin what is wrong, since when, and the command that mends it', async () => {
    const { body } = await web.get('/api/v0/metrics/recording')
    const [market] = (body as RecordingAnswer).markets
    const recorded = market?.recorded
    if (!market || !recorded) throw new Error('nothing is recorded')
    const from = recorded.to - 5 * recorded.interval
    const gaps = [
      {
        from,
        to: recorded.to - 3 * recorded.interval,
        slots: 2,
        cause: 'lost',
        fix: 'rackrate reconcile --accept-loss',
      },
    ]
    const wrong = {
      ...(body as RecordingAnswer),
      markets: [
        {
          ...market,
          recorded: { ...recorded, recorded: recorded.expected - 2, gaps },
          disk: { room: 0, reserve: 1e9, problem: 'The disk of ClickHouse is full.' },
        },
      ],
      queues: null,
      queue_store: 'Redis',
    }
    const page = await web.visit('docs', { key: web.adminKey, ...phone })
    await page.route('**/api/v0/metrics/recording', (route) => route.fulfill({ json: wrong }))
    await page.goto(web.url)
    await page.getByText('3 things need you').waitFor()
    await page.getByText('2 snapshots in neither store.').waitFor()
    await page.getByText('2 snapshots are in neither store').waitFor()
    await page.getByText('rackrate reconcile --accept-loss').waitFor()
    await page.getByText('The disk is nearly full').waitFor()
    await page.getByText('Redis does not answer for the queues').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'today-admin-wrong')
  })

  it('shows a renter what it rents, and what the same GPUs cost now', async () => {
    const { rows } = await web.postgres.query<{ id: number }>(
      `SELECT account_id AS id FROM contracts WHERE ended_at IS NULL AND account_id IN (SELECT id FROM accounts WHERE NOT is_host)
       GROUP BY account_id ORDER BY count(*) DESC, account_id LIMIT 1`,
    )
    const { key } = await createKey(web.postgres, { accountId: rows[0]?.id ?? 0 })
    const { body } = await web.get('/api/v0/metrics/gpu/offers', key)
    const { gpus } = body as OffersAnswer
    const page = await web.visit('', { key, ...phone })
    await page.getByText(/^You rent \d[\d,]* GPUs? for \$[\d.,]+ an hour$/).waitFor()
    await page
      .getByRole('button', { name: /^See offers of / })
      .first()
      .click()
    const name = await page
      .locator('.offers tbody tr:has(+ .of-type) th')
      .evaluate((cell) => (cell as unknown as { firstChild: { textContent: string } }).firstChild.textContent)
    const offered = gpus.find(({ gpu_name }) => gpu_name === name)?.offers ?? []
    expect(offered.length).toBeGreaterThan(0)
    const shown = await page.locator('.offers .of-type li strong').allInnerTexts()
    expect(shown).toEqual(offered.map(({ price }) => priceWords(price)))
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    const overhang = await page.evaluate<number>(
      `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.offers'))`,
    )
    expect(overhang).toBe(0)
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'today-renter-phone')
  })

  it('leads from addresses of the market and the charts that once stood here', async () => {
    const page = await web.visitAsHost('?find=H100')
    await page.waitForURL(/\/market\?find=H100$/)
    await page.goto(`${web.url}?gpu=RTX+4090`)
    await page.waitForURL(/\/charts\?gpu=RTX\+4090/)
  })
})
