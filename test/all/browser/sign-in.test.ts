import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoHost } from '../../../simulate/demo-addresses.ts'
import { openCarriers } from '../../../src/companion/outbox/carriers.ts'
import { deliver } from '../../../src/companion/outbox/deliver.ts'
import { hasBrowser, openWeb, violationsOf, type Web } from '../../browser.ts'
import { whenDrawn, whenListed } from '../../pages/charts.ts'
import { startSmtp } from '../../smtp.ts'

describe.skipIf(!hasBrowser)('the sign-in', () => {
  let web: Web
  beforeAll(async () => {
    web = await openWeb()
  })
  afterAll(() => web?.close())

  it('works where nothing may be kept', async () => {
    const page = await web.visit('')
    await page.context().addInitScript(`for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError') } })`)
    await page.reload()
    await page.getByLabel('API key').fill(web.hostKey)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await whenListed(page)
  })

  it('takes a click on a mailed link, hides the code, and ends its key at the sign-out', async () => {
    const smtp = await startSmtp()
    try {
      const page = await web.visit('')
      await page.getByLabel('E-mail address').fill(demoHost)
      await page.getByRole('button', { name: 'Send a link' }).click()
      await page.getByRole('status').getByText('a link is on its way').waitFor()
      await web.look(page, 'sign-in-mail')
      const smtpOnly = { smtp: { url: smtp.url, from: 'rackrate@example.com' }, folder: tmpdir() }
      await deliver(web.postgres, web.vault, openCarriers(smtpOnly))
      const link = /http:\S+#sign-in\/\S+/.exec(smtp.mails[0]?.raw ?? '')?.[0] ?? ''
      const code = link.split('/').at(-1) ?? ''
      const addresses: string[] = []
      page.on('request', (request) => addresses.push(request.url()))
      await page.goto(link)
      const confirm = page.getByRole('button', { name: 'Sign in as Demo host' })
      await confirm.waitFor()
      expect(await violationsOf(page)).toEqual([])
      expect(page.url()).toBe(web.url)
      await page.reload()
      await page.getByLabel('API key').waitFor()

      await page.goto(link)
      await confirm.click()
      await whenListed(page)
      expect(addresses.filter((address) => address.includes(code))).toEqual([])
      const key = await page.evaluate<string>('sessionStorage["rackrate-key"]')
      const mayRead = async () => (await web.get('/api/v0/users/current', key)).status === 200
      expect(await mayRead()).toBe(true)

      await page.getByLabel('Account and settings').click()

      await page.getByRole('button', { name: 'Sign out' }).click()
      await expect.poll(mayRead).toBe(false)
      await page.goto(link)
      await page.getByRole('alert').getByText('This link is not valid any more').waitFor()
      await page.getByRole('button', { name: 'Go on without this link' }).click()
      await page.getByLabel('API key').waitFor()
    } finally {
      await smtp.close()
    }
  })

  it('accepts the short code of a mail that is read on another device', async () => {
    const smtp = await startSmtp()
    try {
      const page = await web.visit('charts?gpu=RTX+4090')
      await page.getByLabel('E-mail address').fill(demoHost)
      await page.getByRole('button', { name: 'Send a link' }).click()
      const field = page.getByLabel('Code of the mail')
      await field.waitFor()
      expect(await violationsOf(page)).toEqual([])
      const smtpOnly = { smtp: { url: smtp.url, from: 'rackrate@example.com' }, folder: tmpdir() }
      await deliver(web.postgres, web.vault, openCarriers(smtpOnly))
      const code = /^([A-Z0-9]{4}-[A-Z0-9]{4})\r?$/m.exec(smtp.mails[0]?.raw ?? '')?.[1] ?? ''

      await field.fill('AAAA-AAAA')
      await page.getByRole('button', { name: 'Use the code' }).click()
      await page.getByRole('alert').getByText('This code is wrong or not valid any more').waitFor()
      await field.fill(code.replace('-', ' ').toLowerCase())
      await web.look(page, 'sign-in-code')
      await field.press('Enter')
      await page.getByText(`The code was sent to ${demoHost}`).waitFor()
      await page.getByRole('button', { name: 'Sign in as Demo host' }).click()
      await whenDrawn(page)
      expect(page.url()).toContain('charts?gpu=RTX+4090')
    } finally {
      await smtp.close()
    }
  })
})
