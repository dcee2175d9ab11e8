import { z } from 'zod'
import { autopilotRule, autopilotStageBody } from '../../contract/autopilot.ts'
import { autopilotLimits } from '../../contract/autopilot-kinds.ts'
import { hour } from '../../contract/durations.ts'
import { idOf } from '../../contract/fields.ts'
import { one } from '../../platform/stores/rows.ts'
import { withAccount } from '../companion/context.ts'
import { requireReading } from '../rules/access.ts'
import type { AutopilotRoute } from './context.ts'
import { notReadyErrors, requireLive } from './may-live.ts'
import { noRule, rulesOf } from './rules.ts'

export const setAutopilotStage: AutopilotRoute = async (app, autopilot) => {
  app.put(
    '/api/v0/metrics/autopilot/rules/:id/stage',
    {
      config: {
        permissions: ['machine_write'],
        access: 'host',
        errors: { ...notReadyErrors, 404: 'The account has no such rule: `not_found`' },
      },
      schema: {
        operationId: 'setAutopilotStage',
        summary: 'Set the stage of an autopilot rule',
        description: `\`live\` needs machines whose prices the account may set, a floor for each of them, and a dry run of ${autopilotLimits.dryRun / hour} hours. A rule that has stopped resumes with the key of this request.`,
        tags: ['autopilot'],
        params: z.object({ id: z.string() }),
        body: autopilotStageBody,
        response: { 200: z.object({ success: z.literal(true), rule: autopilotRule }) },
      },
    },
    async ({ caller, params, body: { stage } }) => {
      requireReading(caller)
      const id = idOf(params.id)
      if (id === undefined) throw noRule()
      const { accountId, createdBy, keyId } = caller
      const [rule] = await rulesOf(autopilot.postgres, accountId, id)
      if (!rule) throw noRule()
      if (stage === 'live') await requireLive(autopilot, accountId, rule)
      return withAccount({ ...autopilot, caller }, accountId, async ({ client }) => {
        // The rule that goes live must be the rule that was checked.
        const [now] = await rulesOf(client, accountId, id)
        if (!now || (stage === 'live' && now.live_from !== rule.live_from)) throw noRule()
        const values = [accountId, id, stage, createdBy, keyId]
        await client.query('autopilot/stage', values)
        return { success: true as const, rule: one(await rulesOf(client, accountId, id)) }
      })
    },
  )
}
