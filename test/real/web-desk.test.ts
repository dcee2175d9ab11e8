import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { machinesAnswer } from '../../contract/machines.ts'
import { hasBrowser, openWeb, shiftOf, violationsOf, type Web, watchShift } from '../browser.ts'
import { doTask, type Task, type Way, ways } from '../hands.ts'

type Machine = (typeof machinesAnswer)['_output']['machines'][number]

describe.skipIf(!hasBrowser)('the price desk and the fleet', () => {
  let web: Web
  let machines: Machine[]
  beforeAll(async () => {
    web = await openWeb()
    const answer = await web.get('/api/v0/metrics/machines?verified=all', web.hostKey)
    machines = (answer.body as (typeof machinesAnswer)['_output']).machines
  })
  afterAll(() => web?.close())

  const visit = (path: string, options = {}) => web.visit(path, { key: web.hostKey, ...options })
  const whenPriced = (page: Page) => page.locator('.figures[aria-busy=false]').waitFor()
  const whenListed = (page: Page) => page.locator('.fleet table[aria-busy=false] tbody tr').first().waitFor()
  const figure = (page: Page, title: string) =>
    page.locator('.figures > div', { hasText: title }).locator('strong')
  const legendOf = (page: Page) => page.locator('.legend').first()
  const parametersOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const money = (value: number) =>
    `$${value.toLocaleString('en-US', { minimumFractionDigits: value < 100 ? 2 : 0, maximumFractionDigits: value < 100 ? 2 : 0 })}`
  /** A machine about which the API has an estimate. */
  const known = () => {
    const found = machines.find(({ figures }) => figures?.income && figures.best_price)
    if (!found?.figures?.income || !found.figures.best_price) throw new Error('no machine has an estimate')
    return {
      ...found,
      figures: { ...found.figures, income: found.figures.income, best: found.figures.best_price },
    }
  }

  it('shows for an own machine what the API expects at its price', async () => {
    const { id, figures } = known()
    const page = await visit(`price?machine=${id}`)
    await whenPriced(page)
    await expect.poll(() => figure(page, 'Income a day').innerText()).toBe(money(figures.income.value / 30))
    await expect
      .poll(() => figure(page, 'Best price').innerText())
      .toContain(`$${figures.best.price.toFixed(2)}`.slice(0, 4))
    await page.getByText(/^(Good price|Too dear|Too cheap)\.$/).waitFor()
    await page.getByText(`Machine ${id} now:`).waitFor()
    await page.locator('.charts canvas').first().waitFor()
    await web.look(page, 'desk')
    expect(await violationsOf(page)).toEqual([])
    await page.context().close()
  })

  it('follows the slider, and the link carries machine and price', async () => {
    const { id } = known()
    const page = await visit(`price?machine=${id}`)
    await whenPriced(page)
    const before = await figure(page, 'Income a day').innerText()
    const slider = page.getByRole('slider', { name: 'Price' }).first()
    await slider.focus()
    await page.keyboard.press('Home')
    await expect.poll(() => figure(page, 'GPUs cheaper than yours').innerText()).toMatch(/^0 of /)
    // Occupancy may be the same: a machine can be among the cheapest tenth already.
    await expect.poll(() => figure(page, 'Income a day').innerText()).not.toBe(before)
    const field = page.getByLabel('Price, USD per GPU-hour')
    await field.fill('0.77')
    await page.keyboard.press('Enter')
    await expect.poll(() => parametersOf(page)).toEqual({ machine: String(id), price: '0.77' })

    const other = await visit(`price${new URL(page.url()).search}`)
    await whenPriced(other)
    const offers = () => Promise.all([page, other].map((one) => one.locator('.offer').innerText()))
    await expect.poll(async () => new Set(await offers()).size).toBe(1)
    await expect.poll(() => other.getByLabel('Price, USD per GPU-hour').inputValue()).toBe('0.77')
    await page.context().close()
    await other.context().close()
  })

  it('goes to the best price at a click, calls it good, and copies it', async () => {
    const { id, figures } = known()
    const page = await visit(`price?machine=${id}&price=${(figures.best.price * 1.2).toFixed(3)}`)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await whenPriced(page)
    await page.getByRole('button', { name: 'Use it' }).click()
    await page.getByText('Good price.').waitFor()
    await page.getByRole('button', { name: 'Copy the price' }).click()
    await expect
      .poll(async () => Number(await page.evaluate('navigator.clipboard.readText()')))
      .toBe(figures.best.price)
    const rows = page.locator('.compare tbody tr')
    await expect
      .poll(() => rows.filter({ hasText: 'Best price' }).innerText())
      .toContain(money((figures.best.income?.value ?? 0) / 30))
    await page.context().close()
  })

  it('prices a class without a machine, and says so when too little is known of it', async () => {
    const page = await visit('price?gpu=RTX+4090&verified=all')
    await whenPriced(page)
    await expect.poll(() => figure(page, 'Best price').innerText()).toContain('$')
    await page.getByText(/^For 1 GPU, from all machines with RTX 4090: /).waitFor()
    await web.look(page, 'desk-class')
    expect(await violationsOf(page)).toEqual([])
    await page.getByLabel('Rig size').selectOption('16')
    await page.getByText('Not known.').waitFor()
    await page
      .getByText(/too (few|little) for an estimate/)
      .first()
      .waitFor()
    await web.look(page, 'desk-thin')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('link', { name: 'Count all rig sizes' }).click()
    await page.getByText('Not known.').waitFor({ state: 'detached' })
    expect(parametersOf(page).num_gpus).toBeUndefined()
    await page.context().close()
  })

  it('forgets the price of one GPU type when another is chosen', async () => {
    const page = await visit('price?gpu=RTX+4090&verified=all')
    await whenPriced(page)
    const field = page.getByLabel('Price, USD per GPU-hour')
    const usual = await field.inputValue()
    await field.press('End')
    await field.press('1')
    await field.press('Backspace') // as it was: no change to a browser
    await page.getByRole('slider', { name: 'Price' }).first().focus()
    await page.keyboard.press('End')
    await expect.poll(() => parametersOf(page).price).toBeDefined()
    await expect.poll(() => field.inputValue()).not.toBe(usual)
    await page.getByRole('combobox', { name: 'GPU', exact: true }).selectOption('H100 SXM')
    await expect.poll(() => parametersOf(page)).toEqual({ gpu: 'H100 SXM', verified: 'all' })
    await whenPriced(page)
    const asked = await visit(`price${new URL(page.url()).search}`)
    await whenPriced(asked)
    expect(await field.inputValue()).toBe(await asked.getByLabel('Price, USD per GPU-hour').inputValue())
    await page.context().close()
    await asked.context().close()
  })

  it('starts with an own machine, and knows those of others as nobody’s', async () => {
    const page = await visit('price')
    await whenPriced(page)
    const first = machines.find(({ price }) => price !== null)
    expect(parametersOf(page)).toEqual({ machine: String(first?.id) })
    await page.goto(`${web.url}price?machine=2147483647`)
    await page.getByText('Machine 2147483647 is not one of yours.').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Price another one' }).click()
    await whenPriced(page)
    await page.context().close()
  })

  it('gives the curve as a table and as a file', async () => {
    const page = await visit(`price?machine=${known().id}`)
    await page.locator('.charts canvas').first().waitFor()
    await page.locator('.menu summary').first().click()
    await page.getByRole('button', { name: 'Table', exact: true }).click()
    const table = page.getByRole('region', { name: 'Table: Income a day by price' })
    await expect.poll(() => table.locator('tbody tr').count()).toBeGreaterThan(100)
    await expect.poll(() => table.locator('thead').innerText()).toContain('Income a day, low')
    await page.context().close()
  })

  it('has a row for each own machine with what it earned, and adds them up', async () => {
    const page = await visit('machines')
    await whenListed(page)
    const rows = page.locator('.fleet tbody tr')
    await expect.poll(() => rows.count()).toBe(machines.length)
    const sum = machines.reduce((total, { figures }) => total + (figures?.income_30d ?? 0), 0)
    await expect
      .poll(() => figure(page, 'Income, 30 days').innerText())
      .toBe(`$${Math.round(sum).toLocaleString('en-US')}`)
    await page.locator('.price-scale').first().waitFor()
    await web.look(page, 'fleet')
    expect(await violationsOf(page)).toEqual([])

    await page.getByRole('button', { name: 'Income, 30 days' }).click()
    const best = machines.toSorted((a, b) => (b.figures?.income_30d ?? 0) - (a.figures?.income_30d ?? 0))[0]
    await expect.poll(() => rows.first().innerText()).toContain(`${best?.id}:`)
    await expect.poll(() => page.locator('[aria-sort=descending]').innerText()).toContain('Income')
    await page.getByLabel('GPU type or id').fill(String(best?.id))
    // Its id may be part of the name of a GPU.
    await expect.poll(() => rows.count()).toBeLessThan(machines.length)
    const ids = async () => (await rows.allInnerTexts()).map((text) => text.split(':')[0])
    await expect.poll(ids).toContain(String(best?.id))
    await page.getByLabel('GPU type or id').fill('nothing like it')
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByRole('button', { name: 'Classes' }).click()
    await expect.poll(() => rows.count()).toBeLessThanOrEqual(machines.length)
    await web.look(page, 'fleet-classes')
    await page.context().close()
  })

  it('leads from a machine to its price', async () => {
    const page = await visit('machines')
    await whenListed(page)
    await page.locator('.fleet tbody tr').first().getByRole('link').last().focus()
    await page.keyboard.press('Enter')
    await whenPriced(page)
    expect(parametersOf(page).machine).toBeDefined()
    await page.context().close()
  })

  it.each([
    ['phone', phone],
    ['dark', { colorScheme: 'dark' }],
  ])('fits: %s', async (name, options) => {
    for (const [path, what] of [
      [`price?machine=${known().id}`, 'desk'],
      ['machines', 'fleet'],
    ] as const) {
      const page = await visit(path, options)
      await (what === 'desk' ? whenPriced(page) : whenListed(page))
      if (what === 'desk') await page.locator('.charts canvas').first().waitFor()
      await web.look(page, `${what}-${name}`)
      expect(await violationsOf(page)).toEqual([])
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      await page.context().close()
    }
  })

  it('moves nothing once it is painted', async () => {
    for (const [path, shows] of [
      ['', '.market table[aria-busy=false] tbody a'],
      ['machines', '.price-scale'],
      ['price?gpu=H100+SXM', '.charts canvas'],
      [`price?machine=${known().id}`, '.charts canvas'],
      ['charts?gpu=RTX+4090,RTX+3090,H100+SXM', '.charts[aria-busy=false] canvas'],
      ['alerts', '.alerts form'],
    ] as const)
      for (const options of [{}, phone]) {
        const page = await web.visit('', { key: web.hostKey, ...options })
        await watchShift(page)
        await page.goto(`${web.url}${path}`)
        await page.locator(shows).first().waitFor()
        await page.locator('.age time').waitFor()
        if (path.startsWith('charts'))
          await legendOf(page)
            .getByText(/^Your prices?$/)
            .waitFor()
        expect(await shiftOf(page), path).toBeLessThanOrEqual(0.02)
        await page.context().close()
      }
  })

  const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const menuOf = (page: Page, title: string) => page.getByLabel(`${title}: actions`)
  const rowOf = (page: Page, name: string) => page.locator('tbody tr', { hasText: name }).first()
  const tasks: Task[] = [
    {
      title: 'Is my H100 too dear?',
      start: '',
      most: { mouse: 2, keyboard: 4, phone: 2 },
      async steps({ page, press, type }) {
        await press(link(page, 'My machines'))
        await type(page.getByLabel('GPU type or id'), 'H100')
      },
      sees: (page) =>
        rowOf(page, 'H100')
          .getByRole('link', { name: /Good price|Too dear|Too cheap|Price it/ })
          .waitFor(),
    },
    {
      title: 'Can I get 8 × RTX 4090 under $3?',
      start: '',
      most: { mouse: 3, keyboard: 6, phone: 3 },
      async steps({ page, type }) {
        await type(page.getByLabel('Find a GPU type'), '4090')
        await type(page.getByLabel('GPUs needed'), '8')
        await type(page.getByLabel('At most, USD/h each'), '3')
      },
      sees: (page) => page.getByText(/^(Yes|No): [\d,]+ available now at \$3\.00 or less\./).waitFor(),
    },
    {
      title: 'What changed this week?',
      start: '',
      most: { mouse: 1, keyboard: 2, phone: 2 },
      async steps({ way, page, press, choose }) {
        await (way === 'phone'
          ? choose(page.getByLabel('Sorted by'), 'Available, 7 days')
          : press(button(page, 'Available, 7 days')))
      },
      sees: (page) => expect.poll(() => page.locator('.market .change').first().innerText()).toMatch(/^↑/),
    },
    {
      title: 'What should I charge?',
      start: 'machines',
      most: { mouse: 3, keyboard: 6, phone: 3 },
      async steps({ page, press }) {
        await press(page.getByRole('link', { name: new RegExp(`: machine ${known().id}$`) }))
        await press(button(page, 'Use it'))
        await press(button(page, 'Copy the price'))
      },
      sees: (page) => page.getByText('Good price.').waitFor(),
    },
    {
      title: 'How long until it is rented?',
      start: '',
      most: { mouse: 3, keyboard: 4, phone: 3 },
      async steps({ page, press, choose }) {
        await press(link(page, 'Price desk'))
        await whenPriced(page)
        const { id, num_gpus, gpu_name } = known()
        await choose(page.getByLabel('What to price'), `Machine ${id}: ${num_gpus}× ${gpu_name}`)
      },
      sees: (page) => expect.poll(() => figure(page, 'Time to rent').innerText()).toMatch(/\d/),
    },
    {
      title: 'Which machine stands idle longest?',
      start: 'machines',
      most: { mouse: 1, keyboard: 2, phone: 2 },
      async steps({ way, page, press, choose }) {
        await (way === 'phone'
          ? choose(page.getByLabel('Sorted by'), 'Rented now')
          : press(button(page, 'Rented now')))
      },
      async sees(page) {
        // At some hours each machine of this host that is online is rented at least in part: then the one of which least is.
        const idleFirst = ({ rented_gpus, num_gpus, figures }: Machine) =>
          rented_gpus > 0 ? rented_gpus / num_gpus : -1 / (figures?.idle_since ?? Number.POSITIVE_INFINITY)
        const lowest = Math.min(...machines.map(idleFirst))
        const first = machines.filter((machine) => idleFirst(machine) === lowest)
        await expect
          .poll(() => page.locator('.fleet tbody tr').first().innerText())
          .toMatch(new RegExp(`^(${first.map(({ id }) => id).join('|')}):`))
      },
    },
    {
      title: 'Share a chart',
      start: 'charts?gpu=RTX+4090',
      most: { mouse: 3, keyboard: 5, phone: 3 },
      async steps({ page, press }) {
        await press(menuOf(page, 'Price of RTX 4090'))
        await press(button(page, 'Share'))
        await press(button(page, 'Make a link'))
      },
      sees: (page) => page.getByText('This is the link.').waitFor(),
    },
    {
      title: 'Tell me when my price is wrong',
      start: '',
      most: { mouse: 2, keyboard: 4, phone: 2 },
      async steps({ page, press }) {
        await press(link(page, 'Alerts'))
        await press(button(page, 'Make the rule'))
      },
      sees: (page) => page.getByText(/^The rule “.*” is made/).waitFor(),
    },
    {
      title: 'Compare with the week before',
      start: 'charts?gpu=RTX+4090&step=21600',
      most: { mouse: 2, keyboard: 4, phone: 2 },
      async steps({ page, press }) {
        await press(page.locator('.bar summary').last())
        await press(page.getByLabel('Period before'))
      },
      sees: (page) => legendOf(page).getByText('Available (period before)').waitFor(),
    },
    {
      title: 'Compare with another GPU',
      start: 'charts?gpu=RTX+4090',
      most: { mouse: 3, keyboard: 6, phone: 3 },
      async steps({ page, press }) {
        await press(page.locator('.bar summary').first())
        await press(page.getByRole('checkbox', { name: /^RTX 3090 [\d,]+ GPUs/ }))
        await press(button(page, 'Compare'))
      },
      sees: (page) => legendOf(page).getByRole('button', { name: 'RTX 3090' }).waitFor(),
    },
    {
      title: 'Take the figures away',
      start: 'charts?gpu=RTX+4090',
      most: { mouse: 2, keyboard: 4, phone: 2 },
      async steps({ page, press }) {
        const download = page.waitForEvent('download')
        await press(menuOf(page, 'Price of RTX 4090'))
        await press(button(page, 'CSV'))
        expect((await download).suggestedFilename()).toMatch(/price-of-rtx-4090\.csv$/)
      },
      sees: async () => {},
    },
  ]

  it('states in the documentation how many steps tasks take', () => {
    const stated = readFileSync(new URL('../../docs/charts.md', import.meta.url), 'utf8')
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
    for (const { title, most } of tasks) {
      const row = stated.find(([, cell]) => cell === title)
      expect(row?.slice(-4, -1), title).toEqual([most.mouse, most.keyboard, most.phone].map(String))
    }
  })

  describe.each(Object.keys(ways) as Way[])('by %s', (way) => {
    it.each(tasks)('$title', async (task) => {
      const page = await visit(task.start, ways[way])
      await doTask(task, way, page)
      await page.context().close()
    })
  })

  it('shows 10,000 machines in parts, sorted and summed over all of them', async () => {
    const page = await visit('machines')
    await whenListed(page)
    const [template] = machines
    await page.route('**/api/v0/metrics/machines?*', (route) => {
      const after = Number(new URL(route.request().url()).searchParams.get('after') ?? 0)
      const part = Array.from({ length: 100 }, (_, n) => ({
        ...template,
        id: after + n + 1,
        figures: { ...template?.figures, income_30d: after + n + 1 },
      }))
      return route.fulfill({
        json: { success: true, slot: 1, machines: part, next: after + 100 < 10_000 ? after + 100 : null },
      })
    })
    await page.reload()
    await page.getByText('10,000 of 10,000 machines').waitFor({ timeout: 300_000 })
    await expect.poll(() => figure(page, 'Income, 30 days').innerText()).toBe('$50,005,000')
    const rows = page.locator('.fleet tbody tr')
    await expect.poll(() => rows.count()).toBe(50)
    await page.getByRole('button', { name: 'Income, 30 days' }).click()
    await expect.poll(() => rows.first().innerText()).toContain('10000:')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('51 to 100 of 10,000').waitFor()
    expect(parametersOf(page).page).toBe('2')
    expect(await violationsOf(page)).toEqual([])
    await page.context().close()
  })
})
