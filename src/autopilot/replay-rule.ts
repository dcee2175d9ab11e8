import { z } from 'zod'
import { dryRunAnswer } from '../../contract/autopilot-decisions.ts'
import { idOf } from '../../contract/fields.ts'
import { marketOf } from '../alerts/markets.ts'
import { plain } from '../metrics/question/plain.ts'
import type { AutopilotRoute } from './context.ts'
import { replayDryRun } from './replay-dry-run.ts'
import { noRule, rulesOf } from './rules.ts'

export const replayAutopilotRule: AutopilotRoute = async (app, { postgres, markets }) => {
  app.get(
    '/api/v0/metrics/autopilot/rules/:id/replay',
    {
      config: {
        permissions: ['machine_read'],
        access: 'host',
        errors: { 404: 'The account has no such rule: `not_found`' },
      },
      schema: {
        operationId: 'replayAutopilotRule',
        summary: 'What a dry run of an autopilot rule would have earned',
        description:
          'Walks 400 times through the hours of the dry run, at most 30 days, with the prices that the rule would have set, beside what the machines earned. Only machines whose price would have been changed are in it, and those that were on the market for a day.',
        tags: ['autopilot'],
        params: z.object({ id: z.string() }),
        response: { 200: dryRunAnswer },
      },
    },
    async ({ caller: { accountId }, params }) => {
      const id = idOf(params.id)
      const [rule] = id === undefined ? [] : await rulesOf(postgres, accountId, id)
      if (!rule) throw noRule()
      const market = await marketOf(markets, rule.source)
      const replay = await replayDryRun(postgres, market, { ...rule, account_id: accountId })
      return { success: true as const, replay: plain(replay) }
    },
  )
}
