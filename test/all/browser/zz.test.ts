import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, it } from 'vitest'
import { openSharedWeb, type Web } from '../../browser.ts'
import { whenDrawn } from '../../pages/charts.ts'

let web: Web
beforeAll(async () => {
  web = await openSharedWeb()
})
afterAll(() => web?.close())
it('x', async () => {
  const page = await web.visitAsHost('charts?gpu=RTX+4090', { colorScheme: 'dark' })
  await whenDrawn(page)
  await page.waitForTimeout(2000)
  await page.screenshot({ path: '/tmp/look-charts.png' })
  writeFileSync('/tmp/look-charts.pdf', await page.pdf({ format: 'A4' }))
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  await page.screenshot({ path: '/tmp/look-keys.png' })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.screenshot({ path: '/tmp/look-keys-390.png' })
  for (const [path, name] of [
    ['', 'market'],
    ['machines', 'machines'],
    ['price', 'desk'],
  ] as const) {
    const other = await web.visitAsHost(path)
    await other.waitForTimeout(9000)
    if (name === 'desk') {
      await other.getByRole('button', { name: 'Compare terms' }).click()
      await other.waitForTimeout(4000)
    }
    await other.screenshot({ path: `/tmp/look-${name}.png`, fullPage: true })
    writeFileSync(`/tmp/look-${name}.pdf`, await other.pdf({ format: 'A4' }))
  }
}, 400000)
