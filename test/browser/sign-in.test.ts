import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey } from '../../platform/security/api-keys.ts'
import { hasBrowser, openSharedWeb, violationsOf, type Web } from '../browser.ts'
import { choose, parametersOf, whenDrawn, whenListed } from '../pages/charts.ts'

describe.skipIf(!hasBrowser)('the sign-in', () => {
  let web: Web
  beforeAll(async () => {
    web = await openSharedWeb()
  })
  afterAll(() => web?.close())

  it('takes a key, keeps it in the tab and out of every address', async () => {
    const page = await web.visit('market')
    await page.getByLabel('API key').waitFor()
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

    await page.getByLabel('Account and settings').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').fill(web.hostKey)
    await page.getByLabel('Keep me signed in').check()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await whenListed(page)
    await page.reload()
    await whenListed(page)
    await page.getByLabel('Account and settings').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect
      .poll(() => page.evaluate('JSON.stringify([localStorage, sessionStorage])'))
      .not.toContain('rr_')
  })

  it('opens a link in a new tab without a second sign-in, and signs out of both', async () => {
    const page = await web.visit('market')
    await page.getByLabel('API key').fill(web.hostKey)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await whenListed(page)
    const [other] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Machines', exact: true }).click({ modifiers: ['ControlOrMeta'] }),
    ])
    await other.locator('tbody tr').first().waitFor()
    await page.getByLabel('Account and settings').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await other.getByLabel('API key').waitFor()
  })

  it('asks to sign in again when the key has ended, and goes on where it was', async () => {
    const { rows } = await web.postgres.query<{ account_id: number }>(
      'SELECT account_id FROM api_keys WHERE prefix = $1',
      [web.hostKey.split('_')[1]],
    )
    const { id, key } = await createKey(web.postgres, { accountId: rows[0]?.account_id ?? 0 })
    const page = await web.visitAsHost('charts?gpu=RTX+4090&layout=compare', { key })
    await whenDrawn(page)
    await web.postgres.query('UPDATE api_keys SET expires_at = rackrate_now() WHERE id = $1', [id])
    // A process believes in a key for a while.
    await expect.poll(async () => (await web.get('/api/v0/users/current', key)).status).toBe(401)
    const ended = page.getByText('The API key is no longer valid.').waitFor()
    // It may ask by itself meanwhile, and has no steps then.
    await Promise.race([ended, choose(page, 'Step', '3600').catch(() => {})])
    await ended
    await page.getByLabel('API key').fill(web.hostKey)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await whenDrawn(page)
    expect(parametersOf(page)).toMatchObject({ gpu: 'RTX 4090', layout: 'compare' })
  })
})
