import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { sum } from 'simple-statistics'
import { type FleetAdviceAnswer, fleetAdviceAnswer, mostTogether } from '../../../contract/fleet-advice.ts'
import { fleetWords } from '../../../estimates/fleet-words.ts'
import { drawCount } from '../../../estimates/pooled/draws.ts'
import { fleetGain } from '../../../estimates/pooled/fleet.ts'
import { addTimes } from '../../../estimates/pooled/matrix.ts'
import { setStateHeaders, stateHeaders } from '../../market/market-query/answers.ts'
import { plain } from '../../market/market-query/plain.ts'
import type { AdvisedFleet, ProductPlan } from '../machines/fleet-advice.ts'
import type { ListedMachine } from '../machines/own-machines.ts'
import { ranks } from '../machines/pooled/planner.ts'
import type { MachinesOptions } from '../machines/route.ts'

/** Thousands of machines take longer to plan than a request may last. */
const firstPartMs = 4000

/** GET /api/v0/metrics/machines/advice: the prices of the caller's machines, made together, with the sum of the gains. */
export const fleetAdviceRoute: FastifyPluginAsyncZod<
  Pick<MachinesOptions, 'own' | 'costs' | 'adviseFleet' | 'series' | 'clock'>
> = async (app, { own, costs: costBook, adviseFleet, series, clock }) => {
  app.get(
    '/api/v0/metrics/machines/advice',
    {
      config: { permissions: ['machine_read'], access: 'host', headers: stateHeaders },
      schema: {
        operationId: 'readFleetAdvice',
        summary: 'Advice on the prices of all own machines together',
        description: `The prices to change of the account's machines, at most ${mostTogether}, and what all changes gain together. Machines of one GPU type
are planned together, because renters of one may come from another. The interval is of the sum, not the sum of intervals. The first answer on
thousands of machines has only the ones that are planned by then; \`pending\` counts the others.`,
        tags: ['metrics'],
        response: { 200: fleetAdviceAnswer },
      },
    },
    async ({ caller }, reply) => {
      const account = caller.accountId
      const [{ machines }, costs, recorded, state, slots] = await Promise.all([
        own.page(account, { limit: mostTogether, after: 0, id: 0 }),
        costBook.read(account),
        series.recorded(),
        series.state(),
        series.slots(),
      ])
      setStateHeaders(reply, { state, now: clock.now() })
      const query = {
        account,
        recorded,
        market: { state, slots },
        costs,
        rank: ranks.fleet,
        patience: firstPartMs,
      }
      const advised = await adviseFleet(machines, query)
      const pending = machines.filter(({ id }) => !advised.advice.has(id)).length
      const slot = recorded.state.newest_slot
      return plain({
        success: true as const,
        slot,
        machines: machines.length,
        offline: machines.filter(({ online }) => !online).length,
        pending,
        ...answerOf(machines, { ...advised, pending }),
      })
    },
  )
}

function answerOf(
  machines: readonly ListedMachine[],
  { advice, plans, pending }: AdvisedFleet & { pending: number },
): Omit<FleetAdviceAnswer, 'success' | 'slot' | 'machines' | 'offline' | 'pending'> {
  const changes = changesOf(machines, advice).sort(
    (one, other) => (other.gain_per_day?.value ?? 0) - (one.gain_per_day?.value ?? 0),
  )
  const bases = new Set(changes.map(({ basis }) => basis))
  const [only] = bases
  const basis = bases.size > 1 ? 'mixed' : (only ?? 'gross')
  const gain_per_day = gainOf(plans)
  const effect_per_day = sum(plans.map(({ effect }) => effect))
  const held = sum(plans.map((plan) => plan.held.size))
  const reason = fleetWords({
    changes: changes.length,
    gain: gain_per_day,
    effect: effect_per_day,
    held,
    basis,
    pending,
  })
  const types = plans
    .filter((plan) => plan.gains !== null || plan.machines.length > 1)
    .map((plan) => ({
      gpu_name: plan.machines[0]?.gpu_name ?? '',
      gpu_memory: plan.machines[0]?.gpu_memory ?? 0,
      machines: plan.machines.length,
      changes: changesOf(plan.machines, plan.advice).length,
      held: [...plan.held],
      gain_per_day: gainOf([plan]),
      effect_per_day: plan.effect,
    }))
  return { basis, gain_per_day, effect_per_day, changes, types, reason }
}

/** The gain of all changes together. */
function gainOf(plans: readonly ProductPlan[]): FleetAdviceAnswer['gain_per_day'] {
  const draws = new Float64Array(drawCount)
  const changed = plans.flatMap(({ gains, doubt }) => (gains ? [{ gains, doubt }] : []))
  for (const { gains } of changed) addTimes(draws, gains, 1)
  return changed[0] ? fleetGain(draws, changed[0].doubt) : null
}

const changesOf = (
  machines: readonly ListedMachine[],
  advice: AdvisedFleet['advice'],
): FleetAdviceAnswer['changes'] =>
  machines.flatMap(({ id, gpu_name, num_gpus, price }) => {
    const its = advice.get(id)
    if (!its || price === null || its.price === null || its.price === price) return []
    const { verdict, basis, gain_per_day, price: advised } = its
    return [{ machine_id: id, gpu_name, num_gpus, verdict, basis, price, advised, gain_per_day }]
  })
