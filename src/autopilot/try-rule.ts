import type { AutopilotBody } from '../../contract/autopilot.ts'
import { autopilotLimits } from '../../contract/autopilot-kinds.ts'
import { type AutopilotTried, autopilotTried, autopilotTry } from '../../contract/autopilot-try.ts'
import { day, hour } from '../../contract/durations.ts'
import { floorTo } from '../../contract/ladder.ts'
import { floorOf } from '../../estimates/autopilot.ts'
import { openReadCache } from '../../platform/read-cache.ts'
import { plain } from '../market/market-query/plain.ts'
import { requireMarket } from '../rules/access.ts'
import { marketOf, type RuleMarket } from '../rules/markets.ts'
import type { Autopilot, AutopilotRoute } from './context.ts'
import type { DryRun } from './judge.ts'
import { pastSteps } from './past-steps.ts'
import { readMoments, ruleFor } from './read-moments.ts'
import { replayDryRun } from './replay-dry-run.ts'
import { placeOf } from './rules.ts'

/** The most GPU-hours whose income is simulated: some 3 s of CPU. Changes are counted on all machines. */
const mostGpuHours = 1000

interface Trial {
  market: RuleMarket
  account: number
  rule: AutopilotBody
  to: number
  days: number
}

export const tryAutopilotRule: AutopilotRoute = async (app, autopilot) => {
  // The answer covers the time up to the newest whole hour, so it is computed once an hour for any number of requests.
  const answers = openReadCache<string, AutopilotTried, Trial>({
    max: 100,
    fetchMethod: async (_key, _stale, { context }) => plain(await tryRule(autopilot, context)),
  })
  app.post(
    '/api/v0/metrics/autopilot/try',
    {
      config: {
        permissions: ['machine_read'],
        access: 'host',
        errors: { 404: 'The account has no such machine: `not_found`' },
      },
      schema: {
        operationId: 'tryAutopilotRule',
        summary: 'Try an autopilot rule on past data',
        description: `The prices that a rule would have set, decided once an hour by the function that the workers use, and the income with them: 400 walks through these hours, as in a replay. Nothing is stored or set.
Decisions know the market of the hour before. Costs, and the recommended price of a rule that follows it, are today's. Income is simulated for the machines with the most changes: at most ${mostGpuHours} GPU-hours. Other hosts and renters are as they were: they do not react.`,
        tags: ['autopilot'],
        body: autopilotTry,
        response: { 200: autopilotTried },
      },
    },
    async ({ caller, body: { rule: given, days } }) => {
      const { accountId: account } = caller
      const market = await marketOf(autopilot.markets, given.source)
      requireMarket(caller, market)
      const rule = { ...given, ...(await placeOf(autopilot, account, given)) }
      const { newest_slot } = await market.series.state()
      const to = floorTo(hour, newest_slot)
      const { name: _, email: __, webhook_url: ___, ...decisive } = rule
      const question = JSON.stringify([account, decisive, days, to])
      return answers.forceFetch(question, { context: { market, account, rule, to, days } })
    },
  )
}

async function tryRule(
  { postgres, clock, snapshotInterval: interval }: Autopilot,
  { market, account, rule, to, days }: Trial,
): Promise<AutopilotTried> {
  const slots = await market.series.slots()
  const from = Math.max(to - days * day, floorTo(hour, slots[0] ?? to))
  const tried = await readMoments(postgres, market, {
    account,
    isWanted: (machine) => ruleFor([rule], machine) !== undefined,
    most: autopilotLimits.replayed,
    interval,
    now: clock.now(),
  })
  const ran: DryRun[] = []
  for (const of of tried) {
    const steps = await pastSteps(market, of, rule, { from, to, slots })
    const { id, num_gpus } = of.machine
    if (steps.length > 0) ran.push({ rule_id: 0, id, num_gpus, steps })
  }
  const steps = ran.flatMap((one) => one.steps)
  const began = { id: 0, account_id: account, dry_run_since: from }
  const { machines, left_out, total } = await replayDryRun(market, began, ran, mostGpuHours)
  return {
    success: true,
    from,
    to,
    of: tried.length,
    changed: ran.length,
    changes: steps.length,
    raised: steps.filter(({ old, price }) => price > old).length,
    no_floor: tried.filter(({ known: { cost_floor } }) => floorOf({ rails: rule, cost_floor }) === null)
      .length,
    hindsight: rule.target.kind === 'recommended',
    machines,
    left_out,
    total,
  }
}
