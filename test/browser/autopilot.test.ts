import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AutopilotDecision } from '../../contract/autopilot-decisions.ts'
import { hasBrowser, openWeb, violationsOf, type Web } from '../browser.ts'

describe.skipIf(!hasBrowser)('the page of the autopilot', () => {
  let web: Web
  beforeAll(async () => {
    web = await openWeb()
  })
  afterAll(() => web?.close())

  it('leads from a suggestion to live and back in at most six steps, and stops all', async () => {
    const page = await web.visit('autopilot', { key: web.hostKey })
    await page.getByText('No rules yet').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.getByLabel('Name').fill('Median')
    await page.getByLabel('Follow').selectOption('the median of its class')
    await page.getByLabel('Never below, USD per GPU-hour').fill('0.01')
    await page.getByRole('button', { name: 'Create rule' }).click()
    const rules = page.getByRole('region', { name: 'Rules' })
    await rules.getByText('Suggests').waitFor()
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
    await press('Begin the dry run: Median')
    await rules.getByText('Dry run').waitFor()
    await web.postgres.query(
      "UPDATE autopilot_rules SET dry_run_since = rackrate_now() - interval '25 hours'",
    )
    await press('Go live: Median')
    await rules.getByText('Live', { exact: true }).waitFor()
    await press('Only suggest: Median')
    await rules.getByText('Suggests').waitFor()
    expect(steps).toBeLessThanOrEqual(6)

    await press('Stop all')
    await page.getByText('All rules are stopped.').waitFor()
    await press('Resume all')
    await page.getByRole('button', { name: 'Stop all' }).waitFor()
    await press('Delete: Median')
    await page.getByText('No rules yet').waitFor()
    const { body } = await web.get('/api/v0/metrics/autopilot/decisions', web.hostKey)
    expect((body as { decisions: AutopilotDecision[] }).decisions).toEqual([])
  })
})
