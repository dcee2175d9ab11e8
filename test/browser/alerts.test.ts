import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { currentAnswer } from '../../contract/current.ts'
import { price } from '../../web/format.ts'
import { hasBrowser, openWeb, violationsOf, type Web } from '../browser.ts'
import { act, whenDrawn } from '../pages/charts.ts'
import { startReceiver } from '../receiver.ts'

type CurrentAnswer = z.infer<typeof currentAnswer>

describe.skipIf(!hasBrowser)('the page of alerts', () => {
  let web: Web
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  beforeAll(async () => {
    receiver = await startReceiver()
    web = await openWeb({ privateHosts: ['127.0.0.1'] })
  })
  afterAll(async () => {
    receiver?.close()
    await web?.close()
  })

  it('leads from no rule to one that was tried, made, tested, silenced and deleted', async () => {
    const page = await web.visit('alerts', { key: web.hostKey })
    await page.getByText('Simulated market', { exact: true }).waitFor()
    // Mail is chosen where the account has an address, and no rule is noisy by default.
    const told = page.getByRole('combobox', { name: 'Told by' })
    await expect.poll(() => told.inputValue()).toBe('mail')
    expect(await page.getByRole('combobox', { name: 'At most' }).inputValue()).toBe('24')
    await page.getByText(/It would (not )?have told you/).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'alerts-empty')

    await told.selectOption('feed')
    await page.getByRole('combobox', { name: 'Is', exact: true }).selectOption('below')
    await page.getByLabel('Limit').fill('100')
    await page.getByText('It would have told you once').waitFor()
    await page.getByText('More', { exact: true }).click()
    await page.getByLabel('Chat or webhook').fill(`${receiver.url}/hook`)
    await page.getByLabel('Name').fill('Cheap')
    await page.getByRole('button', { name: 'Create the alert' }).click()
    const secret = page.locator('code.secret')
    await secret.waitFor()
    await expect.poll(() => secret.textContent()).toMatch(/^whsec_/)
    await page.getByText('Watching', { exact: true }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'alerts')
    await page.getByRole('button', { name: 'I have it' }).click()
    await secret.waitFor({ state: 'detached' })

    const act = async (action: string) => {
      await page.getByText('⋯', { exact: true }).last().click()
      await page.getByRole('button', { name: `${action}: Cheap` }).click()
    }
    await act('Test')
    await page.getByText('The webhook answered.').waitFor()
    expect(receiver.received).toHaveLength(1)
    await act('Silence for a day')
    await page.getByText(/Silent until/).waitFor()
    await act('End silence')
    await page.getByText(/Silent until/).waitFor({ state: 'detached' })
    page.on('dialog', (dialog) => dialog.accept())
    await act('Delete')
    await page.getByRole('rowheader', { name: 'Cheap' }).waitFor({ state: 'detached' })
  })

  it('changes a rule with the same form, after a trial, and leaves the rest of it as it is', async () => {
    const written = {
      name: 'Dear',
      email: false,
      webhook_url: null,
      condition: {
        kind: 'statistic',
        gpu_name: 'RTX 4090',
        verified: 'no',
        hosting_type: 'community',
        num_gpus: 4,
        statistic: 'rented_median',
        is: 'above',
        limit: 2,
        clears_at: 1.5,
        slots: 3,
      },
    }
    await web.send('POST', '/api/v0/alerts', web.hostKey, written)
    const rules = async () =>
      ((await web.get('/api/v0/alerts', web.hostKey)).body as { rules: (typeof written)[] }).rules
    const page = await web.visit('alerts', { key: web.hostKey })
    await page.getByLabel('Actions: Dear').click()
    await page.getByRole('button', { name: 'Change: Dear' }).click()
    const heading = page.getByRole('heading', { name: 'Change “Dear”' })
    await heading.waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Change “Dear”')
    await page.getByText('More', { exact: true }).click()
    await expect.poll(() => page.getByLabel('Ends at').inputValue()).toBe('1.5')
    await page.getByLabel('Limit').fill('1')
    await page.getByRole('button', { name: 'Save changes' }).click()
    // The present value is beyond the new limit.
    await page
      .getByRole('alert')
      .getByText(/clears_at/)
      .waitFor()
    await page.getByLabel('Ends at').fill('0.5')
    await page.getByText(/It would (not )?have told you/).waitFor()
    expect((await rules())[0]?.condition.limit).toBe(2) // a trial changes nothing
    await page.getByLabel('Name').fill('Overpriced')
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'alerts-change')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The rule “Overpriced” was changed.').waitFor()
    expect(await rules()).toMatchObject([
      { ...written, name: 'Overpriced', condition: { ...written.condition, limit: 1, clears_at: 0.5 } },
    ])
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('heading', { name: 'New alert' }).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Actions: Overpriced')
    page.on('dialog', (dialog) => dialog.accept())
    await page.getByLabel('Actions: Overpriced').click()
    await page.getByRole('button', { name: 'Delete: Overpriced' }).click()
    await page.getByRole('rowheader', { name: 'Overpriced' }).waitFor({ state: 'detached' })
  })

  it('makes each kind of rule, also on a phone and in the dark, and shows refusals', async () => {
    const page = await web.visit('alerts', {
      key: web.hostKey,
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    })
    const kinds = page.getByRole('group', { name: 'Start from' }).getByRole('button')
    await kinds.first().waitFor()
    expect(await kinds.count()).toBe(7)
    await page.getByText('More', { exact: true }).click()
    for (const kind of await kinds.all()) {
      await kind.click()
      const name = `Rule: ${await kind.textContent()}`
      await page.getByLabel('Name').fill(name)
      await page.getByRole('button', { name: 'Create the alert' }).click()
      await page.getByRole('rowheader', { name }).waitFor()
    }
    await page.getByText(/The rule “.*” was created/).waitFor()
    await kinds.first().click()
    await page.getByLabel('Ends when the fall is at most, %').fill('7')
    await page.getByRole('button', { name: 'Create the alert' }).click()
    await page
      .getByRole('alert')
      .getByText(/clears_at/)
      .waitFor()
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'alerts-phone')
  })

  it('begins a rule of a chart at a fall of 5 % in 24 hours, beside what is compared', async () => {
    const page = await web.visit('charts?gpu=RTX+4090&verified=all', { key: web.hostKey })
    await whenDrawn(page)
    await act(page, 'Alert me')
    const now = page.locator('.now')
    await expect
      .poll(() => now.textContent())
      .toMatch(/^now \$[\d.]+, 24 hours ago \$[\d.]+ \([−+\d.]+\s%\); fires at \$[\d.]+ or less$/)
    const { gpus } = (await web.get('/api/v0/metrics/gpu/current?verified=all')).body as CurrentAnswer
    const median = gpus.find(({ gpu_name }) => gpu_name === 'RTX 4090')?.price_median ?? null
    expect(await now.textContent()).toContain(`now ${price(median)},`)
    const list = (name: string) => page.getByRole('combobox', { name, exact: true })
    const percent = page.getByRole('spinbutton', { name: 'Percent' })
    await expect.poll(() => page.locator('input[list=gpu-names]').inputValue()).toBe('RTX 4090')
    expect(await list('Machines').inputValue()).toBe('all')
    expect(await list('Is').inputValue()).toBe('falls')
    expect(await percent.inputValue()).toBe('5')
    await web.look(page, 'alerts-change-of-figure')

    // A shorter span compares with a newer value, and a new limit starts at the present figure.
    await list('Within').selectOption('1 hour')
    await expect.poll(() => now.textContent()).toContain(', 1 hour ago $')
    await page.getByText(/It would (not )?have told you/).waitFor()
    await percent.fill('200')
    await page.getByRole('button', { name: 'Create the alert' }).click()
    await expect.poll(() => page.locator('.rule-form input:invalid').count()).toBe(1)
    expect(await violationsOf(page)).toEqual([])
    await list('Is').selectOption('above')
    await expect.poll(() => now.textContent()).toBe(`now ${price(median)}`)
    expect(Number(await page.getByLabel('Limit').inputValue())).toBeCloseTo(median ?? 0, 2)
  })

  it('takes a limit as it is typed', async () => {
    const page = await web.visit('alerts', { key: web.hostKey })
    await page.getByRole('combobox', { name: 'Is', exact: true }).selectOption('below')
    const limit = page.getByLabel('Limit (USD per GPU-hour)')
    await limit.click()
    await page.keyboard.press('ControlOrMeta+A')
    await limit.pressSequentially('0.05', { delay: 50 })
    await expect.poll(() => limit.inputValue()).toBe('0.05')
    await page.keyboard.press('Enter')
    await page
      .getByText('The rule “RTX 4090: available median below $0.050, verified machines” was created')
      .waitFor()
    // A missing value is asked for, and not replaced by the earlier one.
    await limit.fill('')
    await page.keyboard.press('Enter')
    await expect.poll(() => limit.inputValue()).toBe('')
    await expect.poll(() => page.locator('.rule-form input:invalid').count()).toBe(1)
  })

  it('has what fires, rules and ways in tabs, to which the browser goes back', async () => {
    const page = await web.visit('alerts', { key: web.hostKey })
    const tabs = page.getByRole('navigation', { name: 'Alerts' })
    const current = tabs.locator('[aria-current=page]')
    // An alert is made in two steps: the menu, and the button beside the answer, which is in view.
    const create = page.getByRole('button', { name: 'Create the alert' })
    await page.getByText(/It would (not )?have told you/).waitFor()
    const button = await create.boundingBox()
    expect((button?.y ?? 1e6) + (button?.height ?? 0)).toBeLessThan(900)
    await tabs.getByRole('link', { name: /^Firing/ }).click()
    await page.getByRole('heading', { name: 'Recent messages' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'alerts-firing')
    await page.getByRole('button', { name: /^Delivery to/ }).click()
    await page.getByRole('heading', { name: 'Chats and webhooks' }).waitFor()
    await expect.poll(() => current.textContent()).toBe('Delivery')
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'alerts-delivery')
    await page.goBack()
    await expect.poll(() => current.textContent()).toMatch(/^Firing/)
    await page.goBack()
    await create.waitFor()
    await page.goto(new URL('alerts?kind=machine_idle', web.url).href)
    await expect
      .poll(() => page.getByRole('button', { name: 'A machine is idle' }).getAttribute('aria-pressed'))
      .toBe('true')
  })

  it('gives the feed an address and revokes it', async () => {
    const page = await web.visit('alerts?tab=delivery', { key: web.hostKey })
    await page.getByRole('button', { name: 'New address' }).click()
    const address = page.locator('code.secret')
    await address.waitFor()
    const url = (await address.textContent()) ?? ''
    expect((await fetch(url)).headers.get('content-type')).toContain('atom')
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('The address is revoked.').waitFor()
    expect((await fetch(url)).status).toBe(404)
  })
})
