import type { AlertCondition, AlertTried } from '../../contract/alerts.ts'
import { alertTried, alertTry } from '../../contract/alerts.ts'
import { notFound } from '../../platform/errors.ts'
import { loadSql } from '../../platform/stores/sql-files.ts'
import { type Alerts, type AlertsRoute, requireMarket } from './context.ts'
import { evaluate } from './evaluate.ts'
import { readPast } from './past.ts'
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
        description: `What a rule with this condition would have said. It is evaluated slot by slot with the function that the workers use. Nothing is stored and
nothing is sent.`,
        tags: ['alerts'],
        body: alertTry,
        response: { 200: alertTried },
      },
    },
    async ({ caller, body }) => {
      requireMarket(caller)
      return tryCondition(alerts, caller.accountId, body)
    },
  )
}

async function tryCondition(
  alerts: Alerts,
  accountId: number,
  { condition, days }: { condition: AlertCondition; days: number },
): Promise<AlertTried> {
  const { postgres, series } = alerts
  const found = await postgres.query<{ ids: number[] }>(loadSql('postgres/queries/alerts/owned'), [
    [accountId],
  ])
  const owned = found.rows[0]?.ids ?? []
  if ('machine_id' in condition && condition.machine_id !== null && !owned.includes(condition.machine_id))
    throw notFound('There is no such machine')
  const { newest_slot: newest } = await series.state()
  const start = Math.max(0, newest - days * 86_400)
  const slots = Array.from((await series.slots()).filter((slot) => slot > start))
  const range = { from: slots[0] ?? newest, to: newest + 1 }
  const figures = await readPast(alerts, condition, { slots, range, owned })
  const entries = replay(condition, accountId, figures)
  return {
    success: true,
    ...{ from: range.from, to: newest, slots: slots.length },
    fired: entries.filter(({ what }) => what === 'fired').length,
    entries: entries.slice(0, mostEntries),
  }
}

/** What a rule would have said, from the first slot on. */
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
