import type { AlertCondition } from '../../contract/alert-conditions.ts'
import { type AlertTried, alertTried, alertTry } from '../../contract/alerts.ts'
import { day } from '../../contract/durations.ts'
import { requireMarket } from '../rules/access.ts'
import { marketOf } from '../rules/markets.ts'
import { requireMachine } from '../rules/subject.ts'
import type { AlertsRoute } from './context.ts'
import { evaluate } from './evaluate.ts'
import { type PastMarket, readPast } from './past.ts'
import { figureSeen } from './readings.ts'
import type { RuleState } from './rule.ts'
import type { SlotFigures } from './slot-figures.ts'

const mostEntries = 1000

export const tryAlert: AlertsRoute = async (app, alerts) => {
  app.post(
    '/api/v0/alerts/try',
    {
      config: {
        permissions: ['machine_read'],
        access: 'host',
        errors: { 404: 'The account has no such machine: `not_found`' },
      },
      schema: {
        operationId: 'tryAlert',
        summary: 'Try an alert rule on past data',
        description: `The messages that a rule with this condition would have sent. It is evaluated slot by slot with the function that the workers
use. Nothing is stored or sent.`,
        tags: ['alerts'],
        body: alertTry,
        response: { 200: alertTried },
      },
    },
    async ({ caller, body: { source, ...body } }) => {
      const market = await marketOf(alerts.markets, source)
      requireMarket(caller, market)
      return tryCondition({ ...market, snapshotInterval: alerts.snapshotInterval }, caller.accountId, body)
    },
  )
}

async function tryCondition(
  market: PastMarket,
  accountId: number,
  { condition, days }: { condition: AlertCondition; days: number },
): Promise<AlertTried> {
  const { series, own } = market
  const asksMachines = 'machine_id' in condition
  const owned = asksMachines ? await requireMachine(own, accountId, condition.machine_id) : []
  const { newest_slot: newest } = await series.state()
  const start = Math.max(0, newest - days * day)
  const slots = Array.from((await series.slots()).filter((slot) => slot > start))
  const range = { from: slots[0] ?? newest, to: newest + 1 }
  const figures = await readPast(market, condition, { slots, range, account: accountId, owned })
  const entries = replay(condition, accountId, figures)
  const last = figures.at(-1)
  return {
    success: true,
    from: range.from,
    to: newest,
    slots: slots.length,
    now: condition.kind === 'statistic' && last ? figureSeen(condition, last) : null,
    fired: entries.filter(({ what }) => what === 'fired').length,
    entries: entries.slice(0, mostEntries),
  }
}

/** The messages that a rule would have sent, from the first slot on. */
function replay(
  condition: AlertCondition,
  account_id: number,
  figures: readonly SlotFigures[],
): AlertTried['entries'] {
  const said: AlertTried['entries'] = []
  let state: RuleState = {}
  for (const at of figures) {
    const result = evaluate({ account_id, condition, silenced_until: null, state }, at)
    state = result.state
    for (const entry of result.entries) said.push({ slot: at.slot, ...entry })
  }
  return said
}
