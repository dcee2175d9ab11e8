import { z } from 'zod'
import { type DryRunReplay, dryRunAnswer } from '../../contract/autopilot-decisions.ts'
import { hour } from '../../contract/durations.ts'
import { idOf } from '../../contract/fields.ts'
import { floorTo } from '../../contract/ladder.ts'
import { openReadCache } from '../../platform/read-cache.ts'
import { plain } from '../market/market-query/plain.ts'
import { marketOf, type RuleMarket } from '../rules/markets.ts'
import type { AutopilotRoute } from './context.ts'
import { type DryRun, readDryRuns } from './judge.ts'
import { replayDryRun } from './replay-dry-run.ts'
import { noRule, rulesOf } from './rules.ts'

interface ReplayQuery {
  market: RuleMarket
  rule: Parameters<typeof replayDryRun>[1]
  runs: readonly DryRun[]
}

export const replayAutopilotRule: AutopilotRoute = async (app, { postgres, markets }) => {
  // The answer covers the time up to the newest whole hour, so it is computed once an hour for any number of requests.
  const answers = openReadCache<string, DryRunReplay, ReplayQuery>({
    max: 200,
    fetchMethod: async (_key, _stale, { context: { market, rule, runs } }) =>
      plain(await replayDryRun(market, rule, runs)),
  })
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
        summary: 'Replay the dry run of an autopilot rule',
        description:
          'Walks 400 times through the hours of the dry run, at most 30 days, with the prices that the rule would have set, beside what the machines earned. It includes machines with a changed price that were on the market for a day: at most the 100 with the most changes, and at most 10,000 GPU-hours. It is computed once an hour.',
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
      const { newest_slot } = await market.series.state()
      const to = floorTo(hour, newest_slot)
      const runs = await readDryRuns(postgres, [rule.id])
      const decided = runs.flatMap(({ steps }) => steps).filter(({ at }) => at <= to).length
      const key = [rule.id, rule.dry_run_since, to, decided].join()
      const replay = await answers.forceFetch(key, {
        context: { market, rule: { ...rule, account_id: accountId }, runs },
      })
      return { success: true as const, replay }
    },
  )
}
