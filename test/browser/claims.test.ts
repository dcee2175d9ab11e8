import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openWeb, violationsOf, type Web } from '../browser.ts'
import { openClaimed } from '../claimed.ts'

describe.skipIf(!hasBrowser)('own machines of a source', () => {
  let site: Awaited<ReturnType<typeof openClaimed>>
  let web: Web
  beforeAll(async () => {
    site = await openClaimed()
    const { databases, market } = site
    web = await openWeb({ empty: true, databases, markets: [market], snapshotInterval: 300 })
  })
  afterAll(async () => {
    await web?.app.close()
    await site?.close()
  })

  it('from nothing to the first verdict on an own machine in five steps', async () => {
    const page = await web.visit('?source=vast', { key: site.keys.host })
    await page.getByText('The market of vast opens once you say').waitFor()
    expect(await violationsOf(page)).toEqual([])
    // 1. The page that asks.
    await page.getByRole('link', { name: 'Choose them' }).click()
    await page.getByRole('heading', { name: 'Which machines are yours?' }).waitFor()
    const id = page.getByLabel('Your host id, or the id of a machine')
    const find = page.getByRole('button', { name: 'Find' })
    await id.fill('7')
    await find.click()
    await page.getByText('vast has shown no host and no machine 7').waitFor()
    // 2. The id, 3. what it stands for.
    await id.fill('50')
    await find.click()
    await page.getByText('Host 50: 7 machines, 36 GPUs: 6 with RTX 4090, 1 with H100 SXM.').waitFor()
    expect(await page.locator('.fleet tbody tr').count()).toBe(0)
    await web.look(page, 'claim-found')
    // 4. It is taken.
    await page.getByRole('button', { name: 'Take all 7' }).click()
    const rows = page.locator('.fleet tbody tr')
    await expect.poll(() => rows.count()).toBe(7)
    await expect
      .poll(() => page.locator('.claim').innerText())
      .toMatch(/machines of host 50 at vast are yours.*unproven/)
    await page.getByText('at listed prices, in').waitFor()
    await web.look(page, 'claimed')
    expect(await violationsOf(page)).toEqual([])
    // 5. The verdict on one of them, with its reason, on the price desk.
    await page.getByRole('link', { name: /: machine 1018$/ }).click()
    await page.waitForURL(/price\?.*source=vast/)
    await expect.poll(() => page.locator('.verdict').innerText()).toMatch(/^(Too|Good).*\./s)
    await page.getByText('Income is at the listed price').waitFor()
    await web.look(page, 'claimed-desk')
    expect(await violationsOf(page)).toEqual([])

    await page.getByRole('link', { name: 'Charts' }).click()
    await page.getByText('Your price').first().waitFor()
    await page.getByRole('link', { name: 'My machines' }).click()
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('Your host id, or the id of a machine').fill('1006')
    await page.keyboard.press('Enter')
    await page.getByText('Machine 1006: 4 GPUs, RTX 4090.').waitFor()
    await page.getByRole('button', { name: 'Take it' }).click()
    await expect.poll(() => rows.count()).toBe(8)
    await web.look(page, 'claimed-two')
    for (const what of ['machine 1006', 'host 50'])
      await page.getByRole('button', { name: `Remove: ${what}` }).click()
    await page.getByText('No machine of this market is yours yet.').waitFor()
    await page.getByRole('link', { name: 'Market' }).click()
    await page.getByText('The market of vast opens once you say').waitFor()
  })

  it('an alert rule can watch the market of each source', async () => {
    await web.send('PUT', '/api/v0/metrics/claims', site.keys.host, { source: 'vast', hosts: [50] })
    const page = await web.visit('alerts?source=vast', { key: site.keys.host })
    const market = page.getByRole('combobox', { name: 'Market' })
    await expect.poll(() => market.inputValue()).toBe('vast')
    await page.getByRole('button', { name: 'Make the rule' }).click()
    await page.getByText('at vast').waitFor()
    await web.look(page, 'alert-of-source')
  })
})
