import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AutopilotDecision } from '../../contract/autopilot-decisions.ts'
import { hasBrowser, openWeb, violationsOf, type Web } from '../browser.ts'
import { known, machinesOf } from '../pages/desk.ts'

describe.skipIf(!hasBrowser)('the page of the autopilot', () => {
  let web: Web
  beforeAll(async () => {
    web = await openWeb()
  })
  afterAll(() => web?.close())

  it('leads from a suggestion to live and back in at most six steps, and stops all', async () => {
    const page = await web.visit('autopilot', { key: web.hostKey })
    // The demo host has entered no costs.
    await page.getByText(/machines have no lowest price yet/).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'autopilot-empty')
    await page.getByText('More', { exact: true }).click()
    await page.getByLabel('Name').fill('Median')
    await page.getByLabel('Follow').selectOption('the median of similar machines')
    await page.getByLabel('Never below, USD per GPU-hour').fill('0.01')
    await page.getByText(/machines have no lowest price yet/).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Try it on the last 7 days' }).click()
    const trial = page.locator('.trial')
    await trial
      .getByText(/^It would have changed \d+ machines? \d+ times? in 7 days: \d+ up, \d+ down$/)
      .waitFor()
    await trial
      .getByText(/have earned about \$[\d,.]+ \(\$[\d,.]+ to \$[\d,.]+\) instead of \$[\d,.]+\.$/)
      .waitFor()
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'autopilot-trial')
    await page.getByRole('button', { name: 'Only suggest', exact: true }).click()
    const rules = page.getByRole('region', { name: 'Rules' })
    const stage = rules.locator('[aria-current=step]')
    await expect.poll(() => stage.textContent()).toBe('1 Suggest')
    await page.getByRole('region', { name: 'Suggestions' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'autopilot')

    let steps = 0
    const press = async (name: string) => {
      await page.getByRole('button', { name }).click()
      steps += 1
    }
    page.on('dialog', (dialog) => {
      steps += 1
      dialog.accept()
    })
    await press('Start the dry run: Median')
    await expect.poll(() => stage.textContent()).toBe('2 Dry run')
    await web.postgres.query(
      "UPDATE autopilot_rules SET dry_run_since = rackrate_now() - interval '25 hours'",
    )
    await press('Go live: Median')
    await expect.poll(() => stage.textContent()).toBe('3 Live')
    await press('Only suggest: Median')
    await expect.poll(() => stage.textContent()).toBe('1 Suggest')
    expect(steps).toBeLessThanOrEqual(6)

    await press('Stop all')
    await page.getByText('All rules are stopped.').waitFor()
    await press('Resume all')
    await page.getByRole('button', { name: 'Stop all' }).waitFor()
    await press('Delete: Median')
    await page.getByRole('rowheader', { name: /^Median/ }).waitFor({ state: 'detached' })
    const { body } = await web.get('/api/v0/metrics/autopilot/decisions', web.hostKey)
    expect((body as { decisions: AutopilotDecision[] }).decisions).toEqual([])
  })

  it('leads from a preset to a dry run in at most three steps', async () => {
    const page = await web.visit('autopilot', { key: web.hostKey })
    await page.getByRole('button', { name: 'Stay 3 % under the median' }).click()
    await page.getByRole('button', { name: 'Start the dry run', exact: true }).click()
    await page.getByText('Rule “3 % under the median” created. Its dry run has begun.').waitFor()
    const { body } = await web.get('/api/v0/metrics/autopilot/rules', web.hostKey)
    expect(body).toMatchObject({
      rules: [
        { stage: 'dry_run', email: true, target: { kind: 'median', offset_percent: -3 }, machine_id: null },
      ],
    })
  })

  it('keeps a history of the prices that were set, each with an undo', async () => {
    const page = await web.visit('history', { key: web.hostKey })
    await page.getByText('No price was set yet').waitFor()
    expect(await violationsOf(page)).toEqual([])
    const costs = { kwh_price: 0.01, watts_idle: 1, watts_load: 2, fee_percent: 1 }
    await web.send('PUT', '/api/v0/metrics/costs', web.hostKey, { ...costs, confirm_unusual: true })
    const { id, price, figures } = known(await machinesOf(web))
    const changes = [{ machine_id: id, from: price, price: figures.advice.price }]
    await web.send('POST', '/api/v0/metrics/autopilot/apply', web.hostKey, { source: null, changes })
    await page.reload()
    const rows = page.locator('.decisions tbody tr')
    await expect.poll(() => rows.count()).toBe(1)
    expect(await rows.innerText()).toMatch(
      new RegExp(`${id}[\\s\\S]*By hand[\\s\\S]*\\$${figures.advice.price}`),
    )
    await rows.getByRole('button', { name: `Undo: machine ${id}` }).click()
    await expect.poll(() => rows.first().innerText()).toMatch(new RegExp(`Set back[\\s\\S]*\\$${price}`))
    expect((await machinesOf(web)).find((one) => one.id === id)?.price).toBe(price)
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'history')
  })
})
