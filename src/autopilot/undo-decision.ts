import { z } from 'zod'
import { autopilotDecision } from '../../contract/autopilot-decisions.ts'
import { notFound } from '../../platform/errors.ts'
import { one } from '../../platform/stores/rows.ts'
import { withAccount } from '../companion/context.ts'
import { requireReading } from '../rules/access.ts'
import { marketOf } from '../rules/markets.ts'
import {
  decideByHand,
  decisionByHand,
  executeNow,
  handRails,
  readFloors,
  requireRunning,
  writeByHand,
} from './by-hand.ts'
import type { AutopilotRoute } from './context.ts'
import { decisionsOf } from './ledger.ts'
import { notReady, notReadyErrors, requireRights } from './may-live.ts'
import { readMoments } from './read-moments.ts'

const noDecision = () => notFound('There is no such decision')
const isUuid = z.uuid()

export const undoAutopilotDecision: AutopilotRoute = async (app, autopilot) => {
  app.post(
    '/api/v0/metrics/autopilot/decisions/:id/undo',
    {
      config: {
        permissions: ['machine_write'],
        access: 'host',
        errors: { ...notReadyErrors, 404: 'The account has no such decision: `not_found`' },
      },
      schema: {
        operationId: 'undoAutopilotDecision',
        summary: 'Undo the last change of a machine',
        description:
          'Sets the price before the change. The undo is a decision of its own, with the floor of the costs and of the rule. Only the last change of a machine can be undone, while the machine still has the price of that change. The rule that made it stops: otherwise it would repeat the change.',
        tags: ['autopilot'],
        params: z.object({ id: z.string() }),
        response: { 200: z.object({ success: z.literal(true), decision: autopilotDecision }) },
      },
    },
    async ({ caller, params: { id } }) => {
      requireReading(caller)
      if (!isUuid.safeParse(id).success) throw noDecision()
      const { postgres, clock, markets, snapshotInterval: interval, autopilotCommand: command } = autopilot
      const account = caller.accountId
      const [made] = await decisionsOf(postgres, { account, ids: [id], limit: 1 })
      if (!made) throw noDecision()
      const { machine_id, old_price, new_price } = made
      if (made.state !== 'read_back' || old_price === null || new_price === null)
        throw notReady('This decision has changed no price, so there is nothing to undo')
      const market = await marketOf(markets, made.source)
      const isWanted = ({ id }: { id: number }) => id === machine_id
      const query = { account, isWanted, most: 1, interval, now: clock.now() }
      const [of] = await readMoments(postgres, market, query)
      if (!of) throw notReady('The machine no longer belongs to the account')
      requireRights([of])
      const floor = (await readFloors(postgres, account, made.source))(of.machine)
      const rails = { ...handRails, floor }
      const target = { kind: 'undo' as const, price: old_price }
      const decision = decideByHand(of, { from: new_price, target }, rails)
      const wanted = { decision, kind: 'undo' as const, undoes: id, rule_id: made.rule_id, command, rails }
      const has_webhook = made.adapter === 'webhook'
      const written = await withAccount({ ...autopilot, caller }, account, async ({ client }) => {
        await requireRunning(client, account)
        const { rowCount } = await client.query('autopilot/newer', [id])
        if (rowCount !== 0) throw notReady('Only the last change of a machine can be undone')
        const stop = 'UPDATE autopilot_rules SET stop_reason = $2, version = version + 1 WHERE id = $1'
        await client.query(stop, [made.rule_id, 'A change of it was undone.'])
        return writeByHand(client, made.source, [decisionByHand(caller, of, { ...wanted, has_webhook })])
      })
      return { success: true as const, decision: one(await executeNow(autopilot, account, written)) }
    },
  )
}
