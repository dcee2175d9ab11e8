import type { AlertEntry } from '../../contract/alerts.ts'
import { exactly } from '../../contract/money.ts'
import type { RuleMarket } from '../rules/markets.ts'
import type { Rule } from './rule.ts'

const priceOf = exactly(4)

/** Adds the recommended price to messages about prices of own machines: the price that the API recommends now. */
export async function addRecommended(
  { series, own, costs: costBook, figuresOf }: RuleMarket,
  interval: number,
  said: readonly { rule: Rule; entries: AlertEntry[] }[],
): Promise<void> {
  const asks = said.filter(({ rule }) => rule.condition.kind === 'machine_price')
  if (asks.length === 0) return
  const [recorded, state, slots] = await Promise.all([series.recorded(), series.state(), series.slots()])
  for (const { rule, entries } of asks) {
    const account = rule.account_id
    const costs = await costBook.read(account)
    for (const entry of entries) {
      if (entry.what !== 'fired') continue
      const { source, machines } = await own.page(account, { limit: 1, after: 0, id: entry.machine_id ?? 0 })
      const asked = { account, source, recorded, market: { state, slots }, interval, costs }
      const [figures] = (await figuresOf(machines, asked)).values()
      if (!figures) continue
      const { price, basis } = figures.advice
      entry.recommended = { price, basis }
      const after = basis === 'net' ? 'after power and fee' : 'before costs'
      entry.text +=
        price === null
          ? ' No price is recommended: too little is known.'
          : ` Recommended: ${priceOf(price)}, ${after}.`
    }
  }
}
