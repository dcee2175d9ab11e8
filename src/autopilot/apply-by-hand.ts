import { applyAnswer, applyBody } from '../../contract/autopilot-decisions.ts'
import { notFound } from '../../platform/errors.ts'
import { answerOnce, idempotencyErrors, idempotencyHeaders } from '../../platform/http/idempotency.ts'
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
import { notReadyErrors, requireRights } from './may-live.ts'
import { readMoments } from './read-moments.ts'

export const applyByHand: AutopilotRoute = async (app, autopilot) => {
  app.post(
    '/api/v0/metrics/autopilot/apply',
    {
      config: {
        permissions: ['machine_write'],
        access: 'host',
        errors: {
          ...idempotencyErrors,
          422: `${notReadyErrors[422]}. ${idempotencyErrors[422]}`,
          404: 'The account has no such machine: `not_found`',
        },
      },
      schema: {
        operationId: 'applyPrices',
        summary: 'Change prices of own machines once',
        description: `Sets the prices of some machines by hand, inside the rails of the autopilot: never below the floor of the costs and of the rule on the machine, at most ${100 * handRails.largest_step} % at once, not on old data, not on a
class of few others, and not when the price is another one than the one that was looked at. The answer has a decision for each machine, carried out where that is done at once.`,
        tags: ['autopilot'],
        headers: idempotencyHeaders,
        body: applyBody,
        response: { 200: applyAnswer },
      },
    },
    async (request) => {
      const { caller, body } = request
      requireReading(caller)
      const { postgres, clock, markets, vault, snapshotInterval: interval } = autopilot
      const account = caller.accountId
      const market = await marketOf(markets, body.source)
      const ids = body.changes.map(({ machine_id }) => machine_id)
      const wanted = new Set(ids)
      const moments = await readMoments(postgres, market, {
        account,
        isWanted: ({ id }) => wanted.has(id),
        most: wanted.size,
        interval,
        now: clock.now(),
      })
      const momentOf = new Map(moments.map((moment) => [moment.machine.id, moment]))
      requireRights(moments)
      const floorOf = await readFloors(postgres, account, market.source)
      const decisions = body.changes.map((change) => {
        const of = momentOf.get(change.machine_id)
        if (!of) throw notFound('There is no such machine')
        const rails = { ...handRails, floor: floorOf(of.machine) }
        const { from, price } = change
        const decision = decideByHand(of, { from, target: { kind: 'price', price } }, rails)
        return decisionByHand(caller, of, {
          decision,
          kind: 'hand',
          command: autopilot.autopilotCommand,
          rails,
        })
      })
      const written = await withAccount(autopilot, account, ({ client }) =>
        answerOnce(client, { request, vault }, async () => {
          await requireRunning(client, account)
          return { ids: await writeByHand(client, market.source, decisions) }
        }),
      )
      const found = await executeNow(autopilot, account, written.ids)
      const order = new Map(ids.map((id, index) => [id, index]))
      const at = ({ machine_id }: { machine_id: number }) => order.get(machine_id) ?? 0
      return { success: true as const, decisions: found.toSorted((one, other) => at(one) - at(other)) }
    },
  )
}
