import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openWeb, violationsOf, type Web } from '../browser.ts'
import { startReceiver } from '../receiver.ts'

describe.skipIf(!hasBrowser)('the page of alerts', () => {
  let web: Web
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  beforeAll(async () => {
    receiver = await startReceiver()
    web = await openWeb({ privateHosts: ['127.0.0.1'] })
  }, 300_000)
  afterAll(async () => {
    receiver?.close()
    await web?.close()
  })

  it('leads from no rule to one that was tried, made, tested, silenced and deleted', async () => {
    const page = await web.visit('alerts', { key: web.hostKey })
    await page.getByText('No rules yet.').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'alerts-empty')

    await page.getByLabel('Tell me when').selectOption('A figure of the market')
    await page.getByLabel('Limit').fill('100')
    await page.getByRole('button', { name: 'Try on 30 days' }).click()
    await page.getByText('It would have fired once').waitFor()
    await page.getByLabel('Webhook').fill(`${receiver.url}/hook`)
    await page.getByLabel('Name').fill('Cheap')
    await page.getByRole('button', { name: 'Make the rule' }).click()
    const secret = page.locator('code.secret')
    await secret.waitFor()
    expect(await secret.textContent()).toMatch(/^whsec_/)
    await page.getByText('Quiet', { exact: true }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'alerts')
    await page.getByRole('button', { name: 'I have it' }).click()
    await secret.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Test: Cheap' }).click()
    await page.getByText('The webhook answered.').waitFor()
    expect(receiver.received).toHaveLength(1)
    await page.getByRole('button', { name: 'Silence for a day: Cheap' }).click()
    await page.getByText(/Silent until/).waitFor()
    await page.getByRole('button', { name: 'End silence: Cheap' }).click()
    await page.getByRole('button', { name: 'Silence for a day: Cheap' }).waitFor()
    page.on('dialog', (dialog) => dialog.accept())
    await page.getByRole('button', { name: 'Delete: Cheap' }).click()
    await page.getByText('No rules yet.').waitFor()
  })

  it('makes each kind of rule, also on a phone and in the dark, and says what the service refuses', async () => {
    const page = await web.visit('alerts', {
      key: web.hostKey,
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    })
    const kinds = page.getByLabel('Tell me when')
    await kinds.waitFor()
    const all = await kinds.locator('option').allTextContents()
    expect(all).toHaveLength(5)
    for (const kind of all) {
      await kinds.selectOption(kind)
      await page.getByLabel('Name').fill(`Rule: ${kind}`)
      await page.getByRole('button', { name: 'Make the rule' }).click()
      await page.getByRole('rowheader', { name: `Rule: ${kind}` }).waitFor()
    }
    await page.getByText(/The rule “.*” is made/).waitFor()
    await kinds.selectOption('My machine is idle')
    await page.getByRole('spinbutton', { name: 'Machine', exact: true }).fill('999999')
    await page.getByRole('button', { name: 'Make the rule' }).click()
    await page.getByRole('alert').getByText('There is no such machine').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await web.look(page, 'alerts-phone')
  })

  it('gives the feed an address and revokes it', async () => {
    const page = await web.visit('alerts', { key: web.hostKey })
    await page.getByRole('button', { name: 'New address' }).click()
    const address = page.locator('code.secret')
    await address.waitFor()
    const url = (await address.textContent()) ?? ''
    expect((await fetch(url)).headers.get('content-type')).toContain('atom')
    await page.getByRole('button', { name: 'Revoke it' }).click()
    await page.getByText('The address is revoked.').waitFor()
    expect((await fetch(url)).status).toBe(404)
  })
})
