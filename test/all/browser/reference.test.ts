import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openWeb, violationsOf, type Web } from '../../browser.ts'

describe.skipIf(!hasBrowser)('the reference page', () => {
  let web: Web
  beforeAll(async () => {
    web = await openWeb()
  })
  afterAll(() => web?.close())

  it('has every operation of the API, on a phone and in the dark, with the signed-in key', async () => {
    const page = await web.visitAsHost('docs?operation=shareChart', {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    })
    await page.getByText('Sent with the key that you are signed in with.').waitFor()
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
      await page.getByRole('heading', { level: 2, name: summary, exact: true }).waitFor()
      await expect
        .poll(() => page.evaluate('document.documentElement.scrollWidth'), { message: operationId })
        .toBe(390)
    }
    await page.getByRole('link', { name: 'All operations' }).click()
    await page.getByRole('searchbox').fill('no such thing')
    await page.getByText('0 operations').waitFor()
    await page.goto(`${web.url}docs?operation=nothing`)
    await page.getByText('There is no operation').waitFor()
  })
})
