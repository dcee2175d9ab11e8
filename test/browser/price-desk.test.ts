import type { Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RentalHoursAnswer } from '../../contract/rental-hours.ts'
import type { StartAnswer } from '../../contract/start-price.ts'
import { hasBrowser, openSharedWeb, violationsOf, type Web } from '../browser.ts'
import { parametersOf } from '../pages/charts.ts'
import { figure, known, type Machine, machinesOf, money, whenPriced } from '../pages/desk.ts'

describe.skipIf(!hasBrowser)('the price desk', () => {
  let web: Web
  let machines: Machine[]
  beforeAll(async () => {
    web = await openSharedWeb()
    machines = await machinesOf(web)
  })
  afterAll(() => web?.close())

  it('shows the price to begin with, of a machine that the account does not have', async () => {
    const asked = 'gpu_name=RTX+4090&num_gpus=2&verified=no'
    const { body } = await web.get(`/api/v0/metrics/machines/start?${asked}`, web.hostKey)
    const { price, reason } = body as StartAnswer
    expect(price).toBeGreaterThan(0)
    const page = await web.visitAsHost('price?gpu=RTX+4090&num_gpus=2&verified=no')
    await whenPriced(page)
    await page.getByText(reason).waitFor()
    await web.look(page, 'desk-new-machine')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: /^Look at \$/ }).click()
    await expect.poll(() => Number(parametersOf(page).price)).toBe(price)
  })

  it('shows for an own machine what the API expects at its price', async () => {
    const { id, figures } = known(machines)
    const page = await web.visitAsHost(`price?machine=${id}`)
    await whenPriced(page)
    const recommended = async () => Number(/\$([\d.]+)/.exec(await figure(page, 'Price').innerText())?.[1])
    await expect.poll(recommended).toBeCloseTo(figures.advice.price, 2)
    // The present results stand beside the results at the recommended price, and differ by the gain of the headline.
    const { income_per_day: before, gain_per_day: gain } = figures.advice
    const income = page.locator('.figures > div', { hasText: 'Income a day' })
    await income.getByText(`now ${money(before?.value ?? 0)}`).waitFor()
    await income.getByText(money((before?.value ?? 0) + (gain?.value ?? 0))).waitFor()
    await page.getByText(figures.advice.evidence).waitFor()
    await page.getByRole('region', { name: 'Results of this machine' }).getByText('Rented now').waitFor()
    // Charts are drawn when they come near the screen.
    await page.locator('.charts').scrollIntoViewIfNeeded()
    await page.locator('.charts canvas').first().waitFor()
    await web.look(page, 'desk')
    expect(await violationsOf(page)).toEqual([])
  })

  it('shows no price and no button until the market is there', async () => {
    const { id } = known(machines)
    const page = await web.visitAsHost('docs')
    const held: Route[] = []
    await page.route('**/api/v0/metrics/gpu/depth?*', (route) => {
      held.push(route)
    })
    await page.goto(`${web.url}price?machine=${id}`)
    await expect.poll(() => held.length).toBeGreaterThan(1)
    const offer = page.getByRole('region', { name: 'Price', exact: true })
    await offer.waitFor()
    expect(await offer.innerText()).toBe('')
    expect(await page.getByRole('button', { name: 'Copy the price' }).count()).toBe(0)
    expect(await page.getByLabel('Price, USD per GPU-hour').count()).toBe(0)
    await Promise.all(held.map((route) => route.continue()))
    await whenPriced(page)
  })

  it('follows the slider, and the link carries machine and price', async () => {
    const { id, figures } = known(machines)
    const page = await web.visitAsHost(`price?machine=${id}`)
    await whenPriced(page)
    const slider = page.getByRole('slider', { name: 'Price' }).first()
    await slider.focus()
    await page.keyboard.press('Home')
    await page.getByText(/ 0 of [\d,]+ available GPUs of others cost less now/).waitFor()
    await page.locator('.figures s', { hasText: `now ${money(figures.income.value / 30)}` }).waitFor()
    const field = page.getByLabel('Price, USD per GPU-hour')
    await field.fill('0.77')
    await page.keyboard.press('Enter')
    await expect.poll(() => parametersOf(page)).toEqual({ machine: String(id), price: '0.77' })

    const other = await web.visitAsHost(`price${new URL(page.url()).search}`)
    await whenPriced(other)
    const offers = () => Promise.all([page, other].map((one) => one.locator('.offer').innerText()))
    await expect.poll(async () => new Set(await offers()).size).toBe(1)
    await expect.poll(() => other.getByLabel('Price, USD per GPU-hour').inputValue()).toBe('0.77')
  })

  it('offers to set the recommended price beside the headline, in two steps', async () => {
    const { id, figures } = known(machines)
    const page = await web.visitAsHost(`price?machine=${id}`)
    await whenPriced(page)
    await page.getByText(/^(Raise|Lower) to \$[\d.]+: about \$[\d.,]+ a day more$/).waitFor()
    await page.getByText(/^(Good|Strong) evidence$/).waitFor()
    await page.getByRole('button', { name: /^Set \$/ }).click()
    const row = page.getByRole('region', { name: 'Chosen prices' }).locator('tbody tr')
    await expect.poll(() => row.innerText()).toContain(`$${figures.advice.price}`)
    await page.getByRole('button', { name: 'Set 1 price' }).waitFor()
    await page.getByRole('button', { name: 'Change nothing' }).click()
  })

  it('leads from machine to machine and to the review with keys', async () => {
    const page = await web.visitAsHost('price')
    await whenPriced(page)
    const rows = page.getByRole('navigation', { name: 'Most to gain first' }).getByRole('link')
    const shown = async () =>
      (await rows.evaluateAll((all) => all.map((one) => one.getAttribute('aria-current')))).indexOf('page')
    await expect.poll(shown).toBe(0)
    await page.keyboard.press('j')
    await expect.poll(shown).toBe(1)
    await page.keyboard.press('k')
    await expect.poll(shown).toBe(0)
    await page.getByRole('button', { name: /^Set \$/ }).waitFor()
    await page.keyboard.press('s')
    const review = page.getByRole('dialog')
    await review.waitFor()
    // The keys of the page rest below a dialog.
    await page.keyboard.press('j')
    await review.getByRole('button', { name: 'Change nothing' }).click()
    expect(await shown()).toBe(0)
    await page.getByText('Limits', { exact: true }).click()
    await page.getByText('At most 20 % away from the present price.').waitFor()
    expect(await violationsOf(page)).toEqual([])
  })

  it('returns to the recommended price at a click, and copies it', async () => {
    const { id, figures } = known(machines)
    const page = await web.visitAsHost(`price?machine=${id}&price=0.77`)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await whenPriced(page)
    await page.getByRole('button', { name: /^Back to \$/ }).click()
    await expect.poll(() => Number(parametersOf(page).price)).toBe(figures.advice.price)
    await page.getByRole('button', { name: 'Copy the price' }).click()
    await expect
      .poll(async () => Number(await page.evaluate('navigator.clipboard.readText()')))
      .toBe(figures.advice.price)
    const expected = figures.curve.find(({ price }) => price === figures.advice.price)?.income
    await page.getByText('Higher price or higher occupancy?').click()
    const rows = page.locator('.compare tbody tr')
    await expect
      .poll(() => rows.filter({ hasText: 'Recommended' }).innerText())
      .toContain(money((expected?.value ?? 0) / 30))
  })

  /** A machine of which enough is known to replay a week at its price. */
  const replayable = async () => {
    for (const { id, price } of machines.filter((machine) => machine.price !== null)) {
      const path = `/api/v0/metrics/machines/${id}/replay?days=7&rule=hold&price=${price}`
      const { expected } = (await web.get(path, web.hostKey)).body as { expected: object | null }
      if (expected) return id
    }
    throw new Error('no machine of the host can be replayed')
  }

  it('shows the simulated earnings of a machine, and follows another rule', async () => {
    const page = await web.visitAsHost(`price?machine=${await replayable()}`)
    await whenPriced(page)
    await page.getByText('What would it have earned?').click()
    const replay = page.locator('.fold[open]')
    await replay.getByText(/it would have earned about \$.* It actually earned \$/).waitFor()
    const held = await figure(page, 'Would have earned').innerText()
    expect(held).toMatch(/^\$/)
    await page.getByLabel('Rule').selectOption('drop')
    await replay.getByText(/^From \$.*, 5 % less for each idle day, it would have earned/).waitFor()
    await web.look(page, 'desk-replay')
    expect(await violationsOf(page)).toEqual([])
  })

  it('compares how long GPUs wait by the terms of their listings', async () => {
    // A large class: of a small one too few rentals may be known.
    const page = await web.visitAsHost('price?gpu=RTX+4090&verified=all')
    await whenPriced(page)
    await page.getByText('Do other terms rent faster, or earn more?').click()
    const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) })
    await expect.poll(() => row('1 GPU ').locator('[data-title=Rentals]').innerText()).toMatch(/^[1-9]/)
    await expect.poll(() => row('7 to 30 days').innerText()).toMatch(/\d (h|d|min) to \d/)
    await web.look(page, 'desk-terms')
    expect(await violationsOf(page)).toEqual([])
  })

  it('shows the hours at which renters come, or the reason why none stand out', async () => {
    const path = '/api/v0/metrics/gpu/rental-hours?gpu_name=RTX+4090&verified=all'
    const answer = (await web.get(path, web.hostKey)).body as RentalHoursAnswer
    const { pattern } = answer.gpus['RTX 4090'] ?? {}
    const page = await web.visitAsHost('price?gpu=RTX+4090&verified=all')
    await whenPriced(page)
    await page.getByText('When do renters come?').click()
    const fold = page.locator('.rental-hours')
    const known = /times as often|Weekends do not differ/
    const missing = /^(No hours stand out|Hours of the week need|Too few rentals)/
    await fold.getByText(pattern ? known : missing).waitFor()
    await expect.poll(() => fold.locator('rect').count()).toBe(pattern ? 24 : 0)
    await web.look(page, 'desk-hours')
    expect(await violationsOf(page)).toEqual([])
  })

  it('prices a class without a machine, and reports too few data', async () => {
    const page = await web.visitAsHost('price?gpu=RTX+4090&verified=all')
    await whenPriced(page)
    await page.getByText(/^About \$\S+ a day at \$/).waitFor()
    await page.getByText(/^For 1 GPU, from all machines with RTX 4090: /).waitFor()
    await web.look(page, 'desk-class')
    expect(await violationsOf(page)).toEqual([])
    await page.getByLabel('Rig size').selectOption('16')
    await page.getByText(/^Income at \$\S+ is not known$/).waitFor()
    await page
      .getByText(/too few (for an estimate|observations for an estimate)/i)
      .first()
      .waitFor()
    await web.look(page, 'desk-thin')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('link', { name: /^Count (all|verified) machines$/ }).click()
    await page.getByText(/^About \$\S+ a day at \$/).waitFor()
    expect(parametersOf(page).num_gpus).toBeUndefined()
  })

  it('starts with the own machine of the most gain, and treats machines of others as unknown', async () => {
    const page = await web.visitAsHost('price')
    await whenPriced(page)
    const gainOf = ({ online, figures }: Machine) =>
      (online && figures?.advice.price !== null && figures?.advice.gain_per_day?.value) || 0
    const [first] = machines
      .filter(({ price }) => price !== null)
      .toSorted((one, other) => gainOf(other) - gainOf(one))
    expect(parametersOf(page)).toEqual({ machine: String(first?.id) })
    await page.goto(`${web.url}price?machine=2147483647`)
    await page.getByText('Machine 2147483647 is not one of yours').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Price another one' }).click()
    await whenPriced(page)
  })
})
