import { suggestionsAnswer } from '../../contract/autopilot-decisions.ts'
import { floorOf } from '../../estimates/autopilot.ts'
import { plain } from '../market/market-query/plain.ts'
import type { AutopilotRoute } from './context.ts'
import { type Judged, judgeAll, rulesIn } from './judge.ts'
import { isStopped } from './may-live.ts'

export const listAutopilotSuggestions: AutopilotRoute = async (
  app,
  { postgres, clock, markets, snapshotInterval: interval },
) => {
  app.get(
    '/api/v0/metrics/autopilot/suggestions',
    {
      config: { permissions: ['machine_read'], access: 'host' },
      schema: {
        operationId: 'listAutopilotSuggestions',
        summary: 'List the suggestions of autopilot rules',
        description:
          'The decision of each rule for its machines at the newest market snapshot, with the reason. Nothing is written or changed. If several rules match a machine, the rule on this machine counts, then one on its GPU name, then one on all machines. If rules are equal, the oldest counts.',
        tags: ['autopilot'],
        response: { 200: suggestionsAnswer },
      },
    },
    async ({ caller: { accountId: account } }) => {
      const found: Judged[] = []
      for (const market of markets.all) {
        const rules = await rulesIn(postgres, market, account)
        found.push(...(await judgeAll(postgres, market, rules, { clock, interval })))
      }
      const stopped = await isStopped(postgres, account)
      return { success: true as const, stopped, suggestions: found.map(suggestionOf) }
    },
  )
}

const suggestionOf = ({ rule, of: { machine }, known, decision }: Judged) =>
  plain({
    rule_id: rule.id,
    machine_id: machine.id,
    gpu_name: machine.gpu_name,
    source: rule.source,
    price: known.price,
    floor: floorOf({ rails: rule.settings, cost_floor: known.cost_floor }),
    kind: decision.kind,
    new_price: decision.kind === 'change' ? decision.price : null,
    refusal: decision.kind === 'refusal' ? decision.refusal : null,
    reason: decision.reason,
  })
