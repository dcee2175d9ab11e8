import type { AlertEntry } from '../../contract/alerts.ts'
import { exactly } from '../../contract/money.ts'
import { loadSql } from '../../platform/stores/sql-files.ts'
import type { Stores } from '../../platform/stores/stores.ts'
import { storedCosts } from '../metrics/costs/stored.ts'
import { type FiguresOf, openFigures } from '../metrics/machines/own-figures.ts'
import { watchSeries } from '../metrics/question/series.ts'
import type { Rule } from './rule.ts'

type Machine = Parameters<FiguresOf>[0][number]

const priceOf = exactly(4)

/** Adds to what rules say of the prices of own machines which price is recommended: the answer that the API gives now. */
export async function addRecommended(
  { postgres, clickhouse, snapshotInterval: interval }: Stores & { snapshotInterval: number },
  said: readonly { rule: Rule; entries: AlertEntry[] }[],
): Promise<void> {
  const asks = said.filter(({ rule }) => rule.condition.kind === 'machine_price')
  if (asks.length === 0) return
  const series = watchSeries(postgres, clickhouse)
  const [state, slots] = await Promise.all([series.state(), series.slots()])
  const figuresOf = openFigures(clickhouse)
  for (const { rule, entries } of asks) {
    const account = rule.account_id
    const costs = await storedCosts(postgres, account)
    for (const entry of entries) {
      if (entry.what !== 'fired') continue
      const query = loadSql('postgres/queries/market/own_machines')
      const { rows } = await postgres.query<Machine>(query, [account, 1, 0, entry.machine_id])
      const [figures] = (await figuresOf(rows, { account, state, slots, interval, costs })).values()
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
