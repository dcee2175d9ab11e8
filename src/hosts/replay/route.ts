import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { hour } from '../../../contract/durations.ts'
import { machineIdOf } from '../../../contract/fields.ts'
import { floorTo } from '../../../contract/ladder.ts'
import { filterOf } from '../../../contract/market-filter.ts'
import { type MachineReplay, replayAnswer, replayQuery } from '../../../contract/replay.ts'
import { openReadCache } from '../../../platform/read-cache.ts'
import { setStateHeaders, stateHeaders } from '../../market/market-query/answers.ts'
import { plain } from '../../market/market-query/plain.ts'
import { costsOfMachine, noMachine } from '../costs/stored.ts'
import type { MachinesOptions } from '../machines/route.ts'
import { readPastHours } from './past-hours.ts'
import { openRatesByDay } from './rates-by-day.ts'
import { type ReplayQuestion, replayMachine } from './replay-machine.ts'

const day = 24 * hour

/** GET /api/v0/metrics/machines/:id/replay: the simulated income of an own machine at another price. */
export const replayRoute: FastifyPluginAsyncZod<MachinesOptions> = async (
  app,
  { own, costs: costBook, clickhouse, series, clock },
) => {
  const ratesByDay = openRatesByDay(clickhouse)
  const answers = openReadCache<string, MachineReplay, { question: ReplayQuestion; slots: Uint32Array }>({
    max: 500,
    fetchMethod: async (_key, _stale, { context: { question, slots } }) => {
      const [past, ratesAt] = await Promise.all([
        readPastHours(clickhouse, question.machine, { ...question, slots }),
        ratesByDay(question.machine, question),
      ])
      return plain(await replayMachine(question, past, ratesAt))
    },
  })
  app.get(
    '/api/v0/metrics/machines/:id/replay',
    {
      config: {
        permissions: ['machine_read'],
        access: 'host',
        headers: stateHeaders,
        errors: { 404: 'The account has no such machine: `not_found`' },
      },
      schema: {
        operationId: 'replayMachine',
        summary: 'Replay an own machine at another price',
        description: `Simulates the last days 400 times: the income that the machine would have had at a price or under a rule, and its actual income.
Each hour uses that hour's order book and whether the machine was online. The fill and return rates are those known when the day began. Rentals in
progress at the start keep their price.`,
        tags: ['metrics'],
        params: z.object({ id: z.string() }),
        querystring: replayQuery,
        response: { 200: replayAnswer },
      },
    },
    async ({ caller: { accountId }, params, query: { days, ...asked } }, reply) => {
      const id = machineIdOf(params.id)
      if (id === undefined) throw noMachine()
      const [{ machines }, costs, state, slots] = await Promise.all([
        own.page(accountId, { limit: 1, after: 0, id }),
        costBook.read(accountId),
        series.state(),
        series.slots(),
      ])
      const [found] = machines
      if (!found) throw noMachine()
      const to = floorTo(hour, state.newest_slot)
      const question: ReplayQuestion = {
        ...asked,
        machine: {
          id,
          gpu_name: found.gpu_name,
          ...filterOf(found),
          listed: found.price,
          host_share: found.host_share,
        },
        costs: costsOfMachine(costs, found),
        from: Math.max(0, to - days * day),
        to,
      }
      setStateHeaders(reply, { state, now: clock.now(), ...question })
      return answers.forceFetch(`${state.revision} ${JSON.stringify(question)}`, {
        context: { question, slots },
      })
    },
  )
}
