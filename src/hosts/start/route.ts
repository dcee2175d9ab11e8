import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Obstacle } from '../../../contract/advice-kinds.ts'
import { type StartAnswer, startAnswer, startQuery } from '../../../contract/start-price.ts'
import { startWords } from '../../../estimates/advice-words.ts'
import { costsOf, marginOf } from '../../../estimates/costs.ts'
import { adviseOnStart } from '../../../estimates/pooled/start.ts'
import { setStateHeaders, stateHeaders } from '../../market/market-query/answers.ts'
import { plain } from '../../market/market-query/plain.ts'
import { resolveNames } from '../../market/market-query/resolve.ts'
import type { Fits } from '../machines/pooled/known-market.ts'
import { unknownAdvice } from '../machines/price-advice.ts'
import type { MachinesOptions } from '../machines/route.ts'

/** GET /api/v0/metrics/machines/start: the price to begin with, of a machine that the caller does not have yet. */
export const startPriceRoute: FastifyPluginAsyncZod<
  Pick<MachinesOptions, 'costs' | 'series' | 'clock'> & { fits: Fits }
> = async (app, { costs: costBook, fits, series, clock }) => {
  app.get(
    '/api/v0/metrics/machines/start',
    {
      config: { permissions: ['machine_read'], access: 'host', headers: stateHeaders },
      schema: {
        operationId: 'readStartPrice',
        summary: 'The price to begin with, of a new machine',
        description: `The price at which a new machine of a GPU type should begin, its income, the usual wait for the first rental, and the step down if it is
still free after it. The account needs no such machine. \`num_gpus\` is the size of the rig.`,
        tags: ['metrics'],
        querystring: startQuery,
        response: { 200: startAnswer },
      },
    },
    async ({ caller, query: { gpu_name, num_gpus, gpu_memory, verified, hosting_type } }, reply) => {
      const [state, slots, all, costs] = await Promise.all([
        series.state(),
        series.slots(),
        series.names(),
        costBook.read(caller.accountId),
      ])
      setStateHeaders(reply, { state, now: clock.now() })
      const [name = gpu_name] = resolveNames([gpu_name], all).names
      const machine = {
        gpu_name: name,
        num_gpus: num_gpus || 1,
        gpu_memory,
        verified: verified === 'yes',
        hosting_type: hosting_type === 'all' ? 'unknown' : hosting_type,
      }
      const found = (await fits([name], { state, slots }))({ ...machine, id: 0 })
      const fit = found?.open()
      const margin = marginOf(costsOf(costs.account, undefined, machine), machine.num_gpus)
      const about = { success: true as const, slot: state.newest_slot, machine }
      if (!fit) {
        const obstacle: Obstacle = state.has_rentals ? 'no_market' : 'no_rentals_known'
        const none = { id: 0, price: null, host_share: null, online: true }
        const { basis, reason } = unknownAdvice(obstacle, none, margin)
        return { ...about, ...nothing, basis, obstacle, reason }
      }
      const advice = adviseOnStart(fit, margin)
      const { grade, income: income_per_day, wait, step, decision } = advice
      const { price, basis, obstacle } = decision
      const known: Omit<StartAnswer, keyof typeof about> = {
        price,
        grade,
        basis,
        income_per_day,
        wait,
        step,
        obstacle,
        reason: startWords(advice),
      }
      return plain({ ...about, ...known })
    },
  )
}

const nothing = { price: null, grade: null, income_per_day: null, wait: null, step: null }
