import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { earned } from '../../web/format.ts'
import { hasBrowser, openWeb, violationsOf, type Web } from '../browser.ts'
import { openClaimed } from '../claimed.ts'
import { ofHost50, openAccount, readTurns, usdOf } from '../keyed-claims.ts'

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

  it('a visitor reaches the first verdict on an own machine in five steps', async () => {
    const page = await web.visit('?source=vast', { key: site.keys.host })
    await page.getByText('The market of vast opens once you have claimed').waitFor()
    expect(await violationsOf(page)).toEqual([])
    // 1. The page that asks.
    await page.getByRole('link', { name: 'Claim them' }).click()
    await page.getByRole('heading', { name: 'Which machines are yours?' }).waitFor()
    const id = page.getByLabel('Your host id, or the id of a machine')
    const find = page.getByRole('button', { name: 'Find' })
    await id.fill('7')
    await find.click()
    await page.getByText('vast has shown no host or machine 7').waitFor()
    // 2. The id, 3. what it stands for.
    await id.fill('50')
    await find.click()
    await page.getByText('Host 50: 7 machines, 36 GPUs: 6 with RTX 4090, 1 with H100 SXM.').waitFor()
    expect(await page.locator('.fleet tbody tr').count()).toBe(0)
    await web.look(page, 'claim-found')
    // 4. It is taken.
    await page.getByRole('button', { name: 'Claim all 7' }).click()
    const rows = page.locator('.fleet tbody tr')
    await expect.poll(() => rows.count()).toBe(7)
    await expect
      .poll(() => page.locator('.claim').innerText())
      .toMatch(/You claim the machines of host 50 at vast\. The claim is not proven\./)
    await page.getByText(/^at listed prices, /).waitFor()
    await web.look(page, 'claimed')
    expect(await violationsOf(page)).toEqual([])
    // 5. The verdict on one of them, with its reason, on the price desk.
    await page.getByRole('link', { name: /: machine 1018$/ }).click()
    await page.waitForURL(/price\?.*source=vast/)
    await expect.poll(() => page.locator('.verdict').innerText()).toMatch(/^(Too|Not|Keep|Raise|Lower|Try)/)
    await page.getByText('Income is at the listed price').waitFor()
    await web.look(page, 'claimed-desk')
    expect(await violationsOf(page)).toEqual([])

    await page.getByRole('link', { name: 'Market' }).click()
    await page.getByRole('link', { name: 'Charts' }).click()
    await page.getByText('Your price').first().waitFor()
    await page.getByRole('link', { name: /^Machines/ }).click()
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('Your host id, or the id of a machine').fill('1006')
    await page.keyboard.press('Enter')
    await page.getByText('Machine 1006: 4 GPUs, RTX 4090.').waitFor()
    await page.getByRole('button', { name: 'Claim it' }).click()
    await expect.poll(() => rows.count()).toBe(8)
    await web.look(page, 'claimed-two')
    for (const what of ['machine 1006', 'host 50'])
      await page.getByRole('button', { name: `Remove: ${what}` }).click()
    await page.getByText('You have no machines in this market yet').waitFor()
    await page.getByRole('link', { name: 'Market' }).click()
    await page.getByText('The market of vast opens once you have claimed').waitFor()
  })

  it('a key proves the claim, what the machines really earned is shown, and it goes again', async () => {
    const key = 'the-key-of-host-50-at-vast'
    openAccount(site, key, ofHost50()).canDoMore = true
    await web.send('PUT', '/api/v0/metrics/claims', site.keys.host, { source: 'vast', hosts: [50] })
    const page = await web.visit('machines?source=vast', { key: site.keys.host })
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByText('Claims are not checked').waitFor()
    const field = page.getByLabel('Key of your account at the marketplace')
    const keep = page.getByRole('button', { name: 'Test and save' })
    await field.fill('not-a-key-of-anybody')
    await keep.click()
    await page.getByText('The key of vast was not saved: The marketplace refused the key').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await field.fill(key)
    await keep.click()
    await page.getByText('Your key proves that these machines are yours.').waitFor()
    await page.getByText('This key can do more than read machines and earnings').waitFor()
    await web.look(page, 'claim-proven')
    expect(await violationsOf(page)).toEqual([])
    // Its earnings are unknown yet, which is not 0.
    expect(await page.locator('.fleet').innerText()).not.toContain('actual')

    const { clock } = site.databases
    // After the time at which the key was saved: the key is due from then on.
    await clock.hold(Math.ceil(clock.now()))
    expect(await readTurns(site, 2)).toEqual([
      { read: 1, failed: 0 },
      { read: 1, failed: 0 },
    ])
    await clock.release()
    await page.reload()
    const month = (id: number) =>
      Array.from({ length: 30 }, (_, age) => usdOf(id, age + 1)).reduce((sum, usd) => sum + usd, 0)
    const words = `actual ${earned(month(1018))} in 30 d`
    await expect.poll(() => page.getByRole('row').filter({ hasText: '1018' }).innerText()).toContain(words)
    const all = ofHost50().reduce((sum, id) => sum + month(id), 0)
    await expect.poll(() => page.locator('.sums').innerText()).toContain(earned(all))
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV' }).click()
    const csv = readFileSync(await (await download).path(), 'utf8')
    expect(csv).toMatch(new RegExp(`^1018,.*,${month(1018)},30,class,`, 'm'))
    await page.setViewportSize({ width: 1440, height: 900 })
    await web.look(page, 'claim-earned-1440')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Change' }).click()
    await web.look(page, 'claim-earned-390')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    expect(await violationsOf(page)).toEqual([])
    await page.setViewportSize({ width: 1440, height: 900 })
    await web.look(page, 'claim-form-1440')
    await page.getByRole('link', { name: /: machine 1018$/ }).click()
    await page
      .getByText(`The marketplace reports actual earnings of ${words.replace('actual ', '')}`)
      .waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByRole('button', { name: 'Remove key' }).click()
    await page.getByText('The key was removed.').waitFor()
    await expect.poll(() => page.locator('.fleet').innerText()).not.toContain('actual')
  })

  it('an alert rule can watch the market of each source', async () => {
    await web.send('PUT', '/api/v0/metrics/claims', site.keys.host, { source: 'vast', hosts: [50] })
    const page = await web.visit('alerts?source=vast', { key: site.keys.host })
    const market = page.getByRole('combobox', { name: 'Market' })
    await expect.poll(() => market.inputValue()).toBe('vast')
    await page.getByRole('button', { name: 'Create the alert' }).click()
    await page.getByText('Market: vast').waitFor()
    await web.look(page, 'alert-of-source')
  })
})
