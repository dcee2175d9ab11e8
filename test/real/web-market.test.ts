import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey } from '../../platform/security/api-keys.ts'
import { hasBrowser, openWeb, shiftOf, violationsOf, type Web, watchShift } from '../browser.ts'

interface Question {
  path: string
  step: number
}

const assets = readdirSync(new URL('../../dist/web/assets', import.meta.url))
const sheets = assets.filter((name) => name.endsWith('.css'))

describe.skipIf(!hasBrowser)('the market page', () => {
  let web: Web
  beforeAll(async () => {
    web = await openWeb()
  })
  afterAll(() => web?.close())

  const visit = (path = '', options = {}) => web.visit(path, { key: web.hostKey, ...options })
  const more = (page: Page) => page.locator('.bar summary').last()
  /** A field under “More”, which opens for it. */
  const option = async (page: Page, label: string) => {
    const field = page.getByRole('combobox', { name: label, exact: true })
    if (!(await field.isVisible())) await more(page).click()
    return field
  }
  const choose = async (page: Page, label: string, value: string) =>
    (await option(page, label)).selectOption(value)
  /** Does something with the menu of a chart. */
  const act = async (page: Page, action: string, chart = 0) => {
    await page.locator('.menu summary').nth(chart).click()
    await page.locator('.menu .panel').getByRole('button', { name: action, exact: true }).click()
  }
  const plots = (page: Page) => page.locator('.plot')
  const legend = (page: Page, chart = 0) => page.locator('.legend').nth(chart)
  const whenDrawn = (page: Page) =>
    page.locator('.charts[aria-busy=false] canvas, .no-data').first().waitFor()
  const whenListed = (page: Page) => page.locator('.market table[aria-busy=false] tbody a').first().waitFor()
  /** Zooms into a tenth of the first chart. */
  const drag = async (page: Page) => {
    // The own prices come last, and a chart that is drawn again lets go of what is dragged.
    await legend(page, 0)
      .getByText(/^Your prices?$/)
      .waitFor()
    const box = await plots(page).first().boundingBox()
    if (!box) throw new Error('the chart has no place')
    await page.mouse.move(box.x + box.width * 0.5, box.y + 80)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.6, box.y + 90, { steps: 4 })
    await page.mouse.up()
  }
  const parametersOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

  /** What the page asks the history while something is done, without its cards' questions. */
  async function askedWhile(page: Page, act: () => Promise<unknown>): Promise<Question[]> {
    const asked: Question[] = []
    const listen = (response: { url(): string; headers(): Record<string, string> }) => {
      const url = new URL(response.url())
      if (url.pathname.endsWith('/gpu/history') && url.searchParams.get('step') !== '3600')
        asked.push({
          path: url.pathname.slice(1) + url.search,
          step: Number(response.headers()['rackrate-step']),
        })
    }
    page.on('response', listen)
    await act()
    await expect.poll(() => asked.length).toBeGreaterThan(0)
    await whenDrawn(page)
    page.off('response', listen)
    return asked
  }

  it('takes a key, keeps it in the tab and out of every address', async () => {
    const page = await web.visit('')
    await web.look(page, 'sign-in')
    expect(await violationsOf(page)).toEqual([])
    await page.getByLabel('API key').fill('rr_nonsense')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('Invalid user key').waitFor()

    const addresses: string[] = []
    page.on('request', (request) => addresses.push(request.url()))
    await page.getByLabel('API key').fill(web.hostKey)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await whenListed(page)
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content')
    expect(addresses.filter((address) => address.includes(web.hostKey))).toEqual([])
    expect(addresses.filter((address) => !address.startsWith(web.url))).toEqual([])
    await expect.poll(() => page.evaluate('sessionStorage["rackrate-key"]')).toBe(web.hostKey)
    expect(await page.evaluate('localStorage["rackrate-key"]')).toBeUndefined()

    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').fill(web.hostKey)
    await page.getByLabel('Remember').check()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await whenListed(page)
    await page.reload()
    await whenListed(page)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect
      .poll(() => page.evaluate('JSON.stringify([localStorage, sessionStorage])'))
      .not.toContain('rr_')
  })

  it('starts with what the host has, says that it is simulated and how old it is', async () => {
    const page = await visit('charts')
    await whenDrawn(page)
    const { machines } = (await web.get('/api/v0/metrics/machines', web.hostKey)).body as {
      machines: { gpu_name: string }[]
    }
    const own = new Set(machines.map(({ gpu_name }) => gpu_name))
    const [first = ''] = (parametersOf(page).gpu ?? '').split(',')
    expect(own.has(first)).toBe(true)
    // Its style came with the market once, which this visit has not opened.
    const fills =
      '[...document.querySelectorAll(".sparkline path")].map((path) => getComputedStyle(path).fill)'
    expect(new Set(await page.evaluate<string[]>(fills))).toEqual(new Set(['none']))
    await page.getByText('Simulated market').waitFor()
    // The market has a snapshot an hour: when the hour has turned since, the page calls it old.
    await page.getByText(/^(updated \d\d:\d\d|1 h old)$/).waitFor()
    await web.look(page, 'charts')
    expect(await violationsOf(page)).toEqual([])
    await page.context().close()
  })

  it.each([390, 800, 1024, 1440])('says how old it is in full beside long names, %d wide', async (width) => {
    const long = 'Nebula Accelerator 9000 Ultra Max Super Extra Long Edition 192GB'
    const rename = (to: string, from: string) =>
      web.postgres.query('UPDATE accounts SET name = $1 WHERE name = $2', [to, from])
    const { body } = await web.get('/api/v0/users/current', web.hostKey)
    const { username } = body as { username: string }
    await rename(long, username)
    try {
      const page = await visit(`charts?gpu=${encodeURIComponent(long)}`, { viewport: { width, height: 900 } })
      await page.locator('.age time').waitFor()
      await page.getByText(long).first().waitFor({ state: 'attached' })
      const cut = () =>
        page.evaluate<number>(`Math.max(...[...document.querySelectorAll('.age time')].map((time) => {
        const parts = [time, time.parentElement, time.closest('.account')]
        const right = Math.min(...parts.slice(1).map((part) => part.getBoundingClientRect().right), innerWidth)
        return Math.max(time.getBoundingClientRect().right - right, time.scrollWidth - time.clientWidth)
      }))`)
      await expect.poll(cut).toBeLessThanOrEqual(0.5)
      await web.look(page, `header-${width}`)
      await page.context().close()
    } finally {
      await rename(username, long)
    }
  })

  it('shows the figures of the API', async () => {
    const to = Math.floor(Date.now() / 60_000) * 60
    const from = to - 7 * 86_400
    const page = await visit(`charts?gpu=RTX+4090&range=custom&from=${from}&to=${to}&step=21600&verified=all`)
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
    const written = prices.map((price) => (price < 1 ? price.toFixed(3) : price.toFixed(2)))
    await expect
      .poll(() => legend(page, 0).innerText())
      .toContain(written.map((price) => `$${price}`).join(' · '))
    const rented =
      (supply_demand.rented_verified_gpus?.at(-1) ?? 0) + (supply_demand.rented_unverified_gpus?.at(-1) ?? 0)
    await expect
      .poll(() => legend(page, 1).innerText())
      .toMatch(new RegExp(`Rented\\s+${rented.toLocaleString('en-US')}\\b`))

    await act(page, 'Table')
    const newest = page.getByRole('table').locator('tbody tr').first()
    await expect.poll(() => newest.innerText()).toContain(`$${written[1]}`)
    await expect
      .poll(() => page.getByRole('table').locator('tbody tr').count())
      .toBe(pricing.timestamps?.length)
    await page.context().close()
  })

  it('asks with every filter, and a link shows the same', async () => {
    const page = await visit('charts?gpu=RTX+4090')
    await whenDrawn(page)
    const asksWith = async (label: string, value: string, expected: string) => {
      const [question] = await askedWhile(page, () => choose(page, label, value))
      expect(question?.path).toContain(expected)
    }
    await asksWith('Machines', 'all', 'verified=all')
    await asksWith('Hosting', 'community', 'hosting_type=community')
    await asksWith('Rig size', '4', 'num_gpus=4')
    await asksWith('Step', '21600', 'step=21600')
    for (const range of ['24h', '30d', '90d', '1y'])
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
    // What was picked is shown.
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

    const other = await visit(`charts${new URL(page.url()).search}`)
    await whenDrawn(other)
    const seen = (one: Page) => one.locator('main').innerText()
    await page.getByText(/^Your prices?$/).waitFor()
    await expect.poll(async () => (await seen(other)) === (await seen(page))).toBe(true)
    await expect.poll(async () => (await option(other, 'Show')).inputValue()).toBe('machines')
    await page.goBack()
    await expect.poll(() => parametersOf(page).focus).toBe('RTX 3090')
    await page.context().close()
    await other.context().close()
  })

  it('zooms into what is dragged over, with a finer step, and back', async () => {
    const page = await visit('charts?gpu=RTX+4090&range=30d')
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
    await page.context().close()
  })

  it('zooms with one finger along the time, and leaves up and down to the page', async () => {
    const page = await visit('charts?gpu=RTX+4090&range=30d', {
      ...{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    })
    await whenDrawn(page)
    await legend(page, 0)
      .getByText(/^Your prices?$/)
      .waitFor()
    await plots(page).first().scrollIntoViewIfNeeded()
    const box = await plots(page).first().boundingBox()
    if (!box) throw new Error('the chart has no place')
    const finger = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] })
    const swipe = async (across: number, down: number) => {
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
    await page.context().close()
  })

  it('keeps what is dragged while it is drawn again', async () => {
    const page = await visit('charts?gpu=RTX+4090&range=30d', { colorScheme: 'light' })
    await whenDrawn(page)
    await legend(page, 0)
      .getByText(/^Your prices?$/)
      .waitFor()
    const box = await plots(page).first().boundingBox()
    if (!box) throw new Error('the chart has no place')
    await page.mouse.move(box.x + box.width * 0.5, box.y + 80)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.55, box.y + 90, { steps: 2 })
    // Every chart is drawn again for it.
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.getByRole('button', { name: 'Use the light theme' }).waitFor()
    await page.mouse.move(box.x + box.width * 0.6, box.y + 90, { steps: 2 })
    await page.mouse.up()
    await expect.poll(() => parametersOf(page).range).toBe('custom')
    await page.context().close()
  })

  it('compares with the period before', async () => {
    const page = await visit('charts?gpu=RTX+4090&step=21600')
    await whenDrawn(page)
    await more(page).click()
    const [before] = await askedWhile(page, () => page.getByLabel('Period before').check())
    const length = 7 * 86_400
    const asked = new URLSearchParams(before?.path.split('?')[1])
    expect(Number(asked.get('end')) - Number(asked.get('start'))).toBe(length)
    await page.keyboard.press('Escape')
    await legend(page, 0).getByText('Available (period before)').waitFor()
    await legend(page, 2).getByText('Rented ÷ total (period before)').waitFor()
    expect(parametersOf(page).before).toBe('yes')
    await web.look(page, 'period-before')
    expect(await violationsOf(page)).toEqual([])
    await page.context().close()
  })

  it('opens with all data when they ended before the usual range, and stays where one goes', async () => {
    const page = await web.visit('', { key: web.hostKey })
    await whenListed(page)
    const ago = Math.floor(Date.now() / 1000) - 10 * 86_400
    await page.route('**/api/v0/metrics/gpu/names', async (route) => {
      const response = await route.fetch()
      const answer = (await response.json()) as { names: object[] }
      await route.fulfill({
        response,
        json: { ...answer, names: answer.names.map((name) => ({ ...name, last_seen: ago })) },
      })
    })
    await page.goto(`${web.url}charts?gpu=RTX+4090`)
    await expect.poll(() => parametersOf(page).range).toBe('all')
    await whenDrawn(page)
    await page.getByRole('button', { name: '7d', exact: true }).click()
    await expect.poll(() => parametersOf(page).range).toBeUndefined()
    await whenDrawn(page)
    expect(parametersOf(page).range).toBeUndefined()
    await page.context().close()
  })

  it('opens what was searched for when the market is there', async () => {
    const page = await web.visit('', { key: web.hostKey })
    await whenListed(page)
    const held: Route[] = []
    await page.route('**/api/v0/metrics/gpu/current?*', (route) => {
      held.push(route)
    })
    await page.reload()
    const field = page.getByLabel('Find a GPU type')
    await field.fill('3090')
    await field.press('Enter')
    expect(new URL(page.url()).pathname).toBe(new URL(web.url).pathname)
    await expect.poll(() => held.length).toBeGreaterThan(0)
    await Promise.all(held.map((route) => route.continue()))
    await expect.poll(() => parametersOf(page).gpu).toBe('RTX 3090')
    await page.context().close()
  })

  it('shows the same bucket everywhere after a zoom', async () => {
    const page = await visit('charts?gpu=RTX+4090&range=30d')
    await whenDrawn(page)
    await askedWhile(page, () => drag(page))
    const times = page.locator('.charts').first().locator('.legend time')
    await expect.poll(() => times.count()).toBe(4)
    await expect.poll(async () => new Set(await times.allInnerTexts()).size).toBe(1)
    await expect.poll(() => times.first().innerText()).toMatch(/^newest/)
    await page.context().close()
  })

  it('zooms by keyboard within what is shown, says the range, and has a way back to be seen', async () => {
    const page = await visit('charts?gpu=RTX+4090&range=24h')
    await whenDrawn(page)
    const now = Date.now() / 1000
    await plots(page).first().focus()
    await page.keyboard.press('+') // at the newest bucket
    await expect.poll(() => parametersOf(page).range).toBe('custom')
    const { from, to } = parametersOf(page)
    expect(Number(to)).toBeLessThanOrEqual(now + 60)
    // A quarter of what is shown, which begins with the bucket of 24 hours ago.
    expect(Number(to) - Number(from)).toBeGreaterThanOrEqual(86_400 / 4)
    expect(Number(to) - Number(from)).toBeLessThanOrEqual((86_400 + 900) / 4)
    await page.getByText(/^\d+ \w+ 20\d\d, \d\d:\d\d ?–.*\d\d:\d\d$/).waitFor()
    await page.getByRole('button', { name: 'Zoom out' }).click()
    await expect.poll(() => parametersOf(page).range).toBe('24h')
    await expect.poll(() => page.getByRole('button', { name: 'Zoom out' }).count()).toBe(0)
    await page.context().close()
  })

  it('says the time zone, switches to UTC, and writes buckets of days as dates', async () => {
    const page = await visit('charts?gpu=RTX+4090', { timezoneId: 'America/New_York' })
    await whenDrawn(page)
    const time = page.locator('.legend time').first()
    await expect.poll(() => time.innerText()).toMatch(/^newest: \d+ \w+ 20\d\d, \d\d:\d\d UTC-[45]$/)
    await choose(page, 'Times in', 'utc')
    await expect.poll(() => time.innerText()).toMatch(/ UTC$/)
    expect(parametersOf(page).zone).toBe('utc')
    await choose(page, 'Times in', 'local')
    await askedWhile(page, () => choose(page, 'Step', '86400'))
    const { names } = (await web.get('/api/v0/metrics/gpu/names')).body as {
      names: { name: string; last_seen: number }[]
    }
    const newest = (names.find(({ name }) => name === 'RTX 4090')?.last_seen ?? 0) * 1000
    const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
    await expect.poll(() => time.innerText()).toBe(`newest: ${date.format(newest)}`)
    await page.context().close()
  })

  it('leads from a range without data to where the data are', async () => {
    const now = Math.floor(Date.now() / 1000)
    const page = await visit(`charts?gpu=RTX+4090&range=custom&from=${now + 86_400}&to=${now + 3 * 86_400}`)
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
    await page.getByRole('button', { name: 'Remove the filters' }).click()
    await page.locator('.charts[aria-busy=false] canvas').first().waitFor()
    expect(parametersOf(page).num_gpus).toBeUndefined()
    await page.goto(`${web.url}charts?gpu=Voodoo+2`)
    await page.getByText('The market has never had a GPU called Voodoo 2.').waitFor()
    await page.context().close()
  })

  it('opens a link in a new tab without a second sign-in, and signs out of both', async () => {
    const page = await web.visit('')
    await page.getByLabel('API key').fill(web.hostKey)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await whenListed(page)
    const [other] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'My machines' }).click({ modifiers: ['ControlOrMeta'] }),
    ])
    await other.locator('tbody tr').first().waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await other.getByLabel('API key').waitFor()
    await page.context().close()
  })

  it('has a page for addresses that lead nowhere; programs get JSON', async () => {
    const page = await visit('nowhere')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('link', { name: 'Go to the market' }).click()
    await whenListed(page)
    await page.goto(`${web.url}machines/2328/?a=b`)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.context().close()
    const statusOf = async (path: string, accept: string) => {
      const { status, headers } = await fetch(new URL(path, web.url), { headers: { accept } })
      return [status, headers.get('content-type')?.split(';')[0]]
    }
    expect(await statusOf('nowhere', 'text/html')).toEqual([404, 'text/html'])
    expect(await statusOf('nowhere', '*/*')).toEqual([404, 'application/json'])
    expect(await statusOf('api/v0/nowhere', 'text/html')).toEqual([404, 'application/json'])
  })

  it('has one crosshair, for the mouse and the keyboard', async () => {
    const page = await visit('charts?gpu=RTX+4090')
    await whenDrawn(page)
    // The own prices come last, and a chart that is drawn again lets go of its crosshair.
    await legend(page, 0)
      .getByText(/^Your prices?$/)
      .waitFor()
    const times = page.locator('.charts').first().locator('.legend time')
    const newest = await times.allInnerTexts()
    expect(newest.every((text) => text.startsWith('newest'))).toBe(true)
    let x = 200
    const hovered = async () => {
      x = 401 - x // charts that are drawn later hear of the next move
      await plots(page)
        .first()
        .hover({ position: { x, y: 100 } })
      const [first = '', ...others] = await times.allInnerTexts()
      return [first.startsWith('newest'), others.every((text) => text === first)]
    }
    await expect.poll(hovered).toEqual([false, true])

    await page.mouse.move(0, 0)
    await expect.poll(() => times.allInnerTexts()).toEqual(newest)
    await plots(page).nth(1).focus()
    const value = () => plots(page).nth(1).getAttribute('aria-valuetext')
    const before = await value()
    await page.keyboard.press('Home')
    await expect.poll(value).not.toBe(before)
    const first = await value()
    expect(first).toMatch(/^\d+ \w+ 20\d\d.*: Rented [\d,]+, Available [\d,]+$/)
    await page.keyboard.press('ArrowRight')
    await expect.poll(value).not.toBe(first)
    await expect.poll(async () => new Set(await times.allInnerTexts()).size).toBe(1)
    await page.keyboard.press('+')
    await expect.poll(() => parametersOf(page).range).toBe('custom')
    await page.keyboard.press('-')
    await expect.poll(() => parametersOf(page).range).toBeUndefined()
    await page.context().close()
  })

  it('compares, and shows all side by side', async () => {
    const page = await visit('charts?gpu=RTX+4090,RTX+3090,RTX+5090,H100+SXM')
    await whenDrawn(page)
    await page.getByRole('button', { name: 'Compare' }).click()
    await expect
      .poll(() => legend(page, 0).getByRole('button').allInnerTexts())
      .toEqual(['RTX 4090', 'RTX 3090', 'RTX 5090', 'H100 SXM'])
    await choose(page, 'Compare', 'rented')
    await page.getByText('Price, rented').waitFor()
    await web.look(page, 'compare')
    expect(await violationsOf(page)).toEqual([])

    await page.getByText(/GPUs: 4 types/).click()
    await page.getByLabel(/^All types/).check()
    const { names } = (await web.get('/api/v0/metrics/gpu/names')).body as { names: unknown[] }
    await expect.poll(() => plots(page).count()).toBe(names.length)
    await page.keyboard.press('Escape')
    await choose(page, 'Chart', 'occupancy')
    await whenDrawn(page)
    await web.look(page, 'side-by-side')
    expect(await violationsOf(page)).toEqual([])
    // Each has its figures as a table, too.
    await page.getByLabel('RTX 4090: actions').click()
    await page.getByRole('button', { name: 'Table' }).click()
    const table = page.getByRole('region', { name: 'Table: RTX 4090' })
    await expect.poll(() => table.locator('tbody tr').count()).toBeGreaterThan(6)
    await web.look(page, 'side-by-side-table')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('link', { name: 'RTX 4090', exact: true }).click()
    await page.getByText('Price of RTX 4090').waitFor()
    await page.context().close()
  })

  it('gives away what it shows', async () => {
    const page = await visit('charts?gpu=RTX+4090&step=86400')
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
    await page.context().close()
  })

  it('takes a number as it is typed, and asks with it', async () => {
    const page = await visit('charts?gpu=RTX+4090')
    const most = page.getByLabel('At most, USD/h each')
    await most.click()
    await most.pressSequentially('.50', { delay: 50 })
    await page.getByText(/^(Yes|No): [\d,]+ available now at \$0\.500 or less/).waitFor()
    expect(await most.inputValue()).toBe('.50')
    await page.keyboard.press('Enter')
    await expect.poll(() => parametersOf(page).most).toBe('0.5')
    const need = page.getByLabel('GPUs needed')
    await need.fill('8')
    await need.press('Backspace')
    await need.pressSequentially('12', { delay: 50 })
    await expect.poll(() => parametersOf(page).need).toBe('12')
    expect(await need.inputValue()).toBe('12')
    await page.context().close()
  })

  it('has the focus on a page that a link led to, also when its script came later', async () => {
    const page = await visit()
    await whenListed(page)
    for (let times = 0; times < 2; times += 1) {
      await page.locator('.market tbody a').first().focus()
      await page.keyboard.press('Enter')
      await page.locator('.charts canvas').first().waitFor()
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content')
      await page.goBack()
      await whenListed(page)
    }
    await page.context().close()
  })

  it('keeps what is searched for to its page', async () => {
    const page = await visit('?find=4090&sort=name&verified=all')
    await whenListed(page)
    await page.getByRole('link', { name: 'My machines' }).click()
    await page.locator('.fleet tbody a').first().waitFor()
    expect(parametersOf(page)).toEqual({ verified: 'all' })
    await page.context().close()
  })

  it('leads from an own machine to its charts, to their top', async () => {
    const page = await visit('charts', { viewport: { width: 1280, height: 300 } })
    await whenDrawn(page) // its script is there: the next time it is drawn at once
    await page.getByRole('link', { name: 'My machines' }).click()
    const last = page.getByRole('link', { name: 'H100 SXM', exact: true }).last()
    await last.waitFor()
    await page.evaluate('scrollTo(0, 200)')
    expect(await page.evaluate('scrollY')).toBe(200)
    await last.click()
    await page.getByText('Price of H100 SXM', { exact: true }).waitFor()
    expect(await page.evaluate('scrollY')).toBe(0)
    await legend(page, 0)
      .getByText(/^Your prices?$/)
      .waitFor()
    await page.context().close()
  })

  it.each([
    ['dark', { colorScheme: 'dark' }],
    ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
    ['phone-dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark', isMobile: true }],
    ['wide', { viewport: { width: 2200, height: 1200 }, reducedMotion: 'reduce' }],
  ])('fits: %s', async (name, options) => {
    for (const [path, what] of [
      ['', 'market'],
      ['charts?gpu=RTX+4090,RTX+3090', 'charts'],
    ] as const) {
      const page = await visit(path, options)
      await page
        .locator(what === 'charts' ? '.charts[aria-busy=false] canvas' : 'table[aria-busy=false] tbody tr')
        .first()
        .waitFor()
      await web.look(page, `${what}-${name}`)
      expect(await violationsOf(page)).toEqual([])
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      await page.context().close()
    }
  })

  it('opens its menus over the charts on a phone', async () => {
    const page = await visit('charts?gpu=RTX+4090', { viewport: { width: 390, height: 844 } })
    await whenDrawn(page)
    await more(page).click()
    const box = await page.locator('.panel').boundingBox()
    if (!box) throw new Error('the menu has no place')
    await web.look(page, 'menu-phone')
    for (const part of [0.1, 0.5, 0.9]) {
      const point = `${box.x + box.width / 2}, ${box.y + box.height * part}`
      await expect
        .poll(() => page.evaluate(`!!document.elementFromPoint(${point})?.closest('.panel')`))
        .toBe(true)
    }
    await page.context().close()
  })

  it('remembers the theme that was chosen', async () => {
    const page = await visit('', { colorScheme: 'light' })
    await whenListed(page)
    await page.getByRole('button', { name: 'Use the dark theme' }).click()
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    await page.reload()
    await whenListed(page)
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    await page.context().close()
  })

  it('says when the service is away, keeps what it has, and comes back', async () => {
    const page = await visit('charts?gpu=RTX+4090')
    await whenDrawn(page)
    // What is opened later is loaded at the first thing that one does.
    const parts = page.waitForResponse(/parts-/)
    await page.mouse.move(9, 9)
    await parts
    await page.context().setOffline(true)
    await choose(page, 'Machines', 'all')
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor()
    await expect.poll(() => plots(page).count()).toBe(8)
    await web.look(page, 'away')
    await page.context().setOffline(false)
    // By itself: nobody clicks “Try again”.
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    await page.locator('.charts[aria-busy=false]').waitFor()
    await page.context().close()
  })

  it('connects again when its live connection brings nothing any more', async () => {
    const page = await visit()
    await whenListed(page)
    await page.clock.install()
    await page.addInitScript(`{
      const real = fetch
      window.connections = 0
      // It begins, and then neither brings anything nor ends.
      const silent = (signal) => new Response(new ReadableStream({
        start: (stream) => signal.addEventListener('abort', () => stream.error(signal.reason))
      }))
      window.fetch = (url, init) => {
        if (!String(url).includes('metrics/live')) return real(url, init)
        window.connections += 1
        return Promise.resolve(silent(init.signal))
      }
    }`)
    await page.reload()
    await whenListed(page)
    await expect.poll(() => page.evaluate('connections')).toBe(1)
    await page.clock.fastForward(46_000)
    await expect
      .poll(async () => {
        await page.clock.fastForward(2000)
        return page.evaluate('connections')
      })
      .toBe(2)
    await page.context().close()
  })

  it('asks to sign in again when the key has ended, and goes on where it was', async () => {
    const { rows } = await web.postgres.query<{ account_id: number }>(
      'SELECT account_id FROM api_keys WHERE prefix = $1',
      [web.hostKey.split('_')[1]],
    )
    const { id, key } = await createKey(web.postgres, { accountId: rows[0]?.account_id ?? 0 })
    const page = await visit('charts?gpu=RTX+4090&layout=compare', { key })
    await whenDrawn(page)
    await web.postgres.query('UPDATE api_keys SET expires_at = now() WHERE id = $1', [id])
    // A process believes in a key for a while.
    await expect.poll(async () => (await web.get('/api/v0/users/current', key)).status).toBe(401)
    const ended = page.getByText('The API key is not valid any more.').waitFor()
    // It may ask by itself meanwhile, and has no steps then.
    await Promise.race([ended, choose(page, 'Step', '3600').catch(() => {})])
    await ended
    await page.getByLabel('API key').fill(web.hostKey)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await whenDrawn(page)
    expect(parametersOf(page)).toMatchObject({ gpu: 'RTX 4090', layout: 'compare' })
    await page.context().close()
  })

  it('is friendly to those who can’t see the market yet', async () => {
    const insert = async (isHost: boolean) => {
      const { rows } = await web.postgres.query<{ id: number }>(
        `INSERT INTO accounts (name, is_host) VALUES ('Somebody', $1) RETURNING id`,
        [isHost],
      )
      return (await createKey(web.postgres, { accountId: rows[0]?.id ?? 0 })).key
    }
    const host = await visit('', { key: await insert(true) })
    await host.getByText('Bring a machine online').waitFor()
    await web.look(host, 'needs-machine')
    expect(await violationsOf(host)).toEqual([])
    const renter = await visit('', { key: await insert(false) })
    await renter.getByText('For hosts and admins').waitFor()
    await host.context().close()
    await renter.context().close()
  })

  it('never shows the figures of one filter for those of another', async () => {
    const page = await visit('charts?gpu=RTX+4090')
    await page.locator('.cards[aria-busy=false]').waitFor()
    const isOfCards = (url: URL) => url.searchParams.get('step') === '3600'
    await page.route(isOfCards, (route) => route.fulfill({ status: 400, json: { msg: 'Not now' } }))
    await choose(page, 'Machines', 'no')
    await page.getByRole('alert').getByText('Not now.').waitFor()
    await expect.poll(() => page.locator('.cards').getAttribute('aria-busy')).toBe('true')
    await page.unroute(isOfCards)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.cards[aria-busy=false]').waitFor()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    await page.context().close()
  })

  it('goes back from a zoom whatever was touched meanwhile, and leaves the browser its keys', async () => {
    const page = await visit('charts?gpu=RTX+4090&range=24h')
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
    await page.context().close()
  })

  it.each([
    ['a name in another case', 'charts?gpu=rtx_4090'],
    ['a name that is a property of every object', 'charts?gpu=__proto__,RTX+4090&focus=RTX+4090'],
    ['a name that nobody has', 'charts?gpu=Voodoo+2,RTX+4090&focus=RTX+4090'],
    ['the address that charts had before', '?gpu=RTX+4090'],
  ])('takes a link with %s', async (_what, path) => {
    const page = await visit(path)
    await page.getByText('Price of RTX 4090').waitFor()
    await expect.poll(() => legend(page, 0).textContent()).toContain('$')
    await page.context().close()
  })

  it('works where nothing may be kept', async () => {
    const page = await web.visit('')
    await page.context().addInitScript(`for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError') } })`)
    await page.reload()
    await page.getByLabel('API key').fill(web.hostKey)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await whenListed(page)
    await page.context().close()
  })

  it('says so when a part of it is gone, as after an update', async () => {
    const page = await web.visit('', { key: web.adminKey })
    await whenListed(page)
    await page.route('**/assets/page-*.js', (route) => route.fulfill({ status: 404, body: '' }))
    await page.getByRole('link', { name: 'SQL' }).click()
    await page.getByText('This page broke').waitFor()
    // Only that page.
    await page.getByRole('link', { name: 'Market' }).click()
    await whenListed(page)
    await page.getByRole('link', { name: 'SQL' }).click()
    await page.getByText('This page broke').waitFor()
    await page.unroute('**/assets/page-*.js')
    await page.getByRole('button', { name: 'Load it again' }).click()
    await page.getByRole('button', { name: 'Run' }).waitFor()
    await page.context().close()
  })

  it('finds its way from an address with a slash behind it', async () => {
    const page = await visit('machines/?verified=all')
    await page.locator('tbody tr').first().waitFor()
    expect(page.url()).toBe(`${web.url}machines?verified=all`)
    await expect.poll(() => page.title()).toBe('My machines – rackrate')
    await page.context().close()
  })

  it('works behind a path', async () => {
    const { port } = new URL(web.url)
    const proxy = createServer((incoming, outgoing) => {
      if (!incoming.url?.startsWith('/some/where/')) return outgoing.writeHead(404).end()
      const path = incoming.url.slice('/some/where'.length)
      const onward = forward({ port, path, method: incoming.method, headers: incoming.headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      })
      incoming.pipe(onward)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const at = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/some/where/`
    const page = await visit(at)
    await whenListed(page)
    await page.getByRole('link', { name: 'My machines' }).click()
    await page.locator('tbody tr').first().waitFor()
    expect(page.url()).toMatch(new RegExp(`^${at}machines$`))
    await page.reload()
    await page.locator('tbody tr').first().waitFor()
    await page.context().close()
    proxy.closeAllConnections()
    proxy.close()
  })

  it('shares a chart by a link, for other pages too, until it is revoked', async () => {
    const page = await visit('charts?gpu=RTX+4090&range=7d&verified=all')
    await whenDrawn(page)
    await act(page, 'Share')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('heading', { name: 'Share: Price of RTX 4090, last 7 d' }).waitFor()
    await dialog.getByRole('button', { name: 'Make a link' }).click()
    const link = await dialog.getByLabel('Link', { exact: true }).inputValue()
    await expect
      .poll(() => dialog.getByLabel('For a web page').inputValue())
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
    await stranger.getByText('This link shows no chart').waitFor()
    expect(await violationsOf(stranger)).toEqual([])
    site.close()
    await page.context().close()
    await stranger.context().close()
  })

  it('has a reference of the API that everybody can read, find their way in, and try', async () => {
    const page = await web.visit('docs')
    await page.getByRole('heading', { name: 'API', exact: true }).waitFor()
    const links = page.getByRole('navigation', { name: 'Operations' }).getByRole('link')
    const { paths } = (await web.get('/openapi.json')).body as { paths: Record<string, object> }
    const operations = Object.values(paths).flatMap(Object.keys)
    await expect.poll(() => links.count()).toBe(operations.length)
    await web.look(page, 'reference')
    expect(await violationsOf(page)).toEqual([])

    await page.keyboard.press('/')
    await page.keyboard.type('price history')
    await expect.poll(() => links.count()).toBeLessThan(8)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'GPU price and supply history' }).waitFor()
    expect(parametersOf(page)).toEqual({ operation: 'getGpuHistory' })
    await expect.poll(() => page.title()).toBe('GPU price and supply history – rackrate')
    await page.getByText('Headers').first().waitFor()
    await page.getByLabel('API key').fill('rr_nonsense')
    await page.getByLabel('gpu_name').fill('RTX 4090')
    await page.getByLabel('verified').selectOption('all')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('401').last().waitFor()
    await page.getByLabel('API key').fill(web.hostKey)
    await expect
      .poll(() => page.locator('.curl').textContent())
      .toContain(
        `curl -s -H "Authorization: Bearer $RACKRATE_KEY" '${web.url}api/v0/metrics/gpu/history?gpu_name=RTX+4090&verified=all'`,
      )
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('200 OK').waitFor()
    await expect.poll(() => page.getByLabel('Body of the answer').textContent()).toContain('"RTX 4090": {')
    await page.getByText('Its form').click()
    await web.look(page, 'reference-operation')
    expect(await violationsOf(page)).toEqual([])
    await page.context().close()
  })

  it('has every operation of the API in its reference, on a phone and in the dark, with the key of who is signed in', async () => {
    const page = await visit('docs?operation=shareChart', {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    })
    await page.getByText('With the key that you are signed in with.').waitFor()
    const body = page.getByRole('textbox', { name: 'Body' })
    const prefilled = JSON.parse(await body.inputValue())
    await body.fill('{"query": "gpu_name=all"}')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('400 Bad Request').waitFor()
    await body.fill(JSON.stringify(prefilled))
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('200 OK').waitFor()
    await web.look(page, 'reference-phone')
    expect(await violationsOf(page)).toEqual([])
    const { paths } = (await web.get('/openapi.json')).body as {
      paths: Record<string, Record<string, { operationId: string; summary: string }>>
    }
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
    for (const { operationId, summary } of operations) {
      await page.evaluate(`history.pushState(null, '', 'docs?operation=${operationId}')`)
      await page.getByRole('heading', { level: 1, name: summary, exact: true }).waitFor()
      await expect
        .poll(() => page.evaluate('document.documentElement.scrollWidth'), { message: operationId })
        .toBe(390)
    }
    await page.getByRole('link', { name: 'All operations' }).click()
    await page.getByRole('searchbox').fill('no such thing')
    await page.getByText('0 operations').waitFor()
    await page.goto(`${web.url}docs?operation=nothing`)
    await page.getByText('There is no operation').waitFor()
    await page.context().close()
  })

  it.each(['book', 'duration', 'prices', 'revenue'])(
    'opens at the chart that a link names: %s',
    async (name) => {
      const page = await visit('charts?gpu=RTX+4090')
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.locator(`#${name} canvas, #${name} .plot`).first().waitFor()
      await page.locator(`#${name} .menu summary`).click()
      await page.locator(`#${name}`).getByRole('button', { name: 'Copy link' }).click()
      const copied = String(await page.evaluate('navigator.clipboard.readText()'))
      await page.locator(`#${name} .anchor`).click()
      expect(page.url()).toBe(copied)
      expect(new URL(copied).hash).toBe(`#${name}`)

      const other = await web.visit('', { key: web.hostKey })
      await watchShift(other)
      await other.goto(copied)
      await other.locator(`#${name} canvas`).waitFor()
      const top = () =>
        other.evaluate<number>(`document.querySelector('#${name}').getBoundingClientRect().top`)
      await expect.poll(top).toBeGreaterThanOrEqual(0)
      expect(await top()).toBeLessThan(600)
      expect(await shiftOf(other)).toBeLessThanOrEqual(0.02)
      await page.context().close()
      await other.context().close()
    },
  )

  it.each([
    ['an Arabic browser', { locale: 'ar-EG', timezoneId: 'Asia/Riyadh' }, 'UTC+3'],
    ['India', { timezoneId: 'Asia/Kolkata' }, 'UTC+5:30'],
  ])('shows the same in %s, but its time zone', async (_where, options, zone) => {
    const page = await visit('charts?gpu=RTX+4090', options)
    await whenDrawn(page)
    // As programs that translate a page do.
    await page.evaluate(`document.documentElement.dir = 'rtl'`)
    await expect
      .poll(() => page.locator('.legend time').first().innerText())
      .toMatch(new RegExp(`^newest: \\d+ \\w+ \\d{4}, \\d\\d:\\d\\d ${zone.replace('+', '\\+')}$`))
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(await violationsOf(page)).toEqual([])
    await page.context().close()
  })

  it('takes the hour that a change of the clocks leaves out for what it is', async () => {
    const page = await visit('charts?gpu=RTX+4090', { timezoneId: 'America/New_York' })
    await whenDrawn(page)
    await page.getByText('Custom').click()
    await page.getByLabel('From', { exact: true }).fill('2026-03-08T01:30')
    await page.getByLabel('To', { exact: true }).fill('2026-03-08T03:30')
    await page.getByRole('button', { name: 'Show' }).click()
    await expect.poll(() => parametersOf(page)).toMatchObject({ from: '1772951400', to: '1772955000' })
    await page.context().close()
  })

  it.each([
    ['a millionth of a dollar', 1e-6],
    ['a million dollars', 1e6],
  ])('has room for a name of 64 letters, and for %s', async (_what, times) => {
    const long = 'Nebula Accelerator 9000 Ultra Max Super Extra Long Edition 192GB'
    const page = await web.visit('', { viewport: { width: 390, height: 844 } })
    await page.addInitScript((key) => sessionStorage.setItem('rackrate-key', key), web.hostKey)
    const larger = (text: string) =>
      text.replace(/"((?:rented|avail)_(?:p10|median|p90))":\[([^\]]*)\]/g, (_all, name, list) => {
        const values = (JSON.parse(`[${list}]`) as (number | null)[]).map((value) => value && value * times)
        return `"${name}":${JSON.stringify(values)}`
      })
    await page.route('**/api/v0/metrics/**', async (route) => {
      if (route.request().url().includes('/live')) return route.continue()
      const url = route
        .request()
        .url()
        .replaceAll(encodeURIComponent(long).replaceAll('%20', '+'), 'RTX+4090')
      const response = await route.fetch({ url })
      const text = (await response.text()).replaceAll('"RTX 4090"', JSON.stringify(long))
      await route.fulfill({ response, body: larger(text) })
    })
    await page.goto(`${web.url}charts?gpu=${encodeURIComponent(long)}`)
    await whenDrawn(page)
    await expect
      .poll(() => legend(page, 0).innerText())
      .toMatch(times < 1 ? /\$0\.000000\d/ : /\$\d{3},\d{3}\.\d\d/)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    const picker = page.locator('.bar summary').first()
    expect((await picker.boundingBox())?.height).toBeLessThan(40)
    await web.look(page, `extremes-${times}`)
    expect(await violationsOf(page)).toEqual([])
    await page.context().close()
  })

  it('draws a single snapshot', async () => {
    const now = Math.floor(Date.now() / 3_600_000) * 3600
    const page = await visit(`charts?gpu=RTX+4090&range=custom&from=${now - 5400}&to=${now - 3000}&step=3600`)
    await whenDrawn(page)
    await act(page, 'Table')
    await expect.poll(() => page.getByRole('table').locator('tbody tr').count()).toBeLessThanOrEqual(2)
    await expect.poll(() => legend(page, 0).innerText()).toContain('$')
    await page.context().close()
  })

  it('is served with a strict policy, small, and never stale', async () => {
    const response = await fetch(web.url)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toMatch(/unsafe|\*|http:/)
    expect(response.headers.get('cache-control')).toBe('no-cache')
    const html = await response.text()
    const scripts = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(
      ([, path]) => path ?? '',
    )
    expect(scripts.length).toBeGreaterThan(0)
    const sizes = await Promise.all(
      scripts.map(async (path) => {
        const script = await fetch(new URL(path, web.url), { headers: { 'accept-encoding': 'gzip' } })
        expect(script.headers.get('cache-control')).toContain('immutable')
        return Number(script.headers.get('content-length'))
      }),
    )
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000)
    expect((await fetch(new URL('assets/..%2f..%2fpackage.json', web.url))).status).toBe(404)
    expect(assets.some((name) => name.endsWith('.map'))).toBe(false)
  })

  it('loads at most 70 kB of script for the charts, gzipped', async () => {
    const page = await visit('charts')
    await whenDrawn(page)
    const scripts = await page.evaluate<string[]>(
      'performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.endsWith(".js"))',
    )
    const sizes = await Promise.all(
      scripts.map(async (path) => {
        const { headers } = await fetch(path, { headers: { 'accept-encoding': 'gzip' } })
        return Number(headers.get('content-length'))
      }),
    )
    expect(Math.min(...sizes)).toBeGreaterThan(0)
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(70_000)
    await page.context().close()
  })

  it.each([
    ['', 'main tbody a'],
    ['charts', '.cards[aria-busy=false] ~ .charts canvas'],
    ['machines', 'main tbody a'],
    ['price', '.figures strong'],
    ['alerts', 'main form'],
    ['docs', 'main h2'],
    ['sql', '.cm-content'],
    ['dashboards', 'main form, main button'],
  ])('looks the same whatever page was open before: /%s', async (path, shows) => {
    const page = await visit(path, {
      key: path === 'sql' || path === 'dashboards' ? web.adminKey : web.hostKey,
    })
    await page.locator(shows).first().waitFor()
    // What its figures do meanwhile is not asked: only elements that stay, and what style sheets alone decide.
    const changed = await page.evaluate<string[]>(`(async () => {
      const decided = ['display', 'fill', 'font-size', 'font-weight', 'margin', 'padding', 'border-width', 'text-align', 'white-space', 'color', 'gap']
      const stylesOf = (element) => decided.map((name) => name + ': ' + getComputedStyle(element)[name]).join('; ')
      const before = [...document.querySelectorAll('body *')].map((element) => [element, stylesOf(element), element.className])
      await Promise.all(${JSON.stringify(sheets)}.map((sheet) => new Promise((loaded) => {
        const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: new URL('assets/' + sheet, document.baseURI).href, onload: loaded })
        document.head.append(link)
      })))
      return before
        .filter(([element, styles, name]) => element.isConnected && element.className === name && stylesOf(element) !== styles)
        .map(([element, styles]) => element.tagName + '.' + element.getAttribute('class') + ' ' + styles + ' → ' + stylesOf(element))
    })()`)
    expect(changed).toEqual([])
    await page.context().close()
  })
})

describe.skipIf(!hasBrowser)('a market without a snapshot', () => {
  let web: Web
  beforeAll(async () => {
    web = await openWeb({ empty: true })
  })
  afterAll(() => web?.close())

  it('says so', async () => {
    const page = await web.visit('', { key: web.adminKey })
    await page.getByText('No snapshots yet').waitFor()
    await web.look(page, 'empty')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('link', { name: 'My machines' }).click()
    await page.getByText('This account has no machines.').waitFor()
  })
})

declare const sessionStorage: { setItem(name: string, value: string): void }
