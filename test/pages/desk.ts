import type { Page } from 'playwright-core'
import type { machinesAnswer } from '../../contract/machines.ts'
import type { Web } from '../browser.ts'

export type Machine = (typeof machinesAnswer)['_output']['machines'][number]

export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

export const whenPriced = (page: Page) => page.locator('.figures[aria-busy=false]').waitFor()
export const whenFleetListed = (page: Page) =>
  page.locator('.fleet table[aria-busy=false] tbody tr').first().waitFor()
export const figure = (page: Page, title: string) =>
  page
    .locator('.figures > div')
    .filter({ has: page.locator('dt', { hasText: new RegExp(`^${title.replace('?', '\\?')}`) }) })
    .locator('strong')

/** An amount as the page formats it: below a hundred with cents. */
export function money(value: number): string {
  const digits = Math.abs(value) < 100 ? 2 : 0
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return `${value < 0 ? '−' : ''}$${Math.abs(value).toLocaleString('en-US', options)}`
}

/** The machines of the host. */
export async function machinesOf(web: Web): Promise<Machine[]> {
  const { body } = await web.get('/api/v0/metrics/machines?verified=all', web.hostKey)
  return (body as (typeof machinesAnswer)['_output']).machines
}

/** A machine whose price the API would change. */
export function known(machines: Machine[]) {
  const found = machines.find(
    ({ figures }) => figures?.income && ['raise', 'lower'].includes(figures.advice.verdict),
  )
  const { income, advice } = found?.figures ?? {}
  if (!found?.figures || !income || !advice || advice.price === null)
    throw new Error('no machine has a price to change')
  return { ...found, figures: { ...found.figures, income, advice: { ...advice, price: advice.price } } }
}
