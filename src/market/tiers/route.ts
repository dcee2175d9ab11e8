import type { z } from 'zod'
import { day, week } from '../../../contract/durations.ts'
import { tiers } from '../../../contract/market-filter.ts'
import { type tierFigures, tiersAnswer, tiersQuery } from '../../../contract/tiers.ts'
import { invalidArgs } from '../../../platform/errors.ts'
import { rentalsReason } from '../market-query/few.ts'
import { marketRoute } from '../market-query/market-route.ts'
import { resolveQuestion } from '../market-query/resolve.ts'
import { byName, parametersOf, selectHistogram } from '../market-query/select.ts'

type Figures = z.infer<typeof tierFigures>
type Row = Omit<Figures, 'premium'> & { gpu_name: string }

const description = `Machines, occupancy and prices of GPU types by tier of the host: verified, unverified and deverified beside each other.
The parameters are those of the history, without \`verified\` and \`step\`. The range is by default seven days, and at most 31.
Observations from before tiers were recorded have the tier \`unknown\`, unless they are verified by then.`

const longest = 31 * day

/** GET /api/v0/metrics/gpu/tiers */
export const tiersRoute = marketRoute({
  path: 'tiers',
  operationId: 'getTiers',
  summary: 'GPU types by tier of the host',
  description,
  query: tiersQuery,
  answer: tiersAnswer,
  withoutMachine: { reason: null, gpus: {} },
  resolve: ({ start, end, ...query }, moment) => {
    const to = end ?? moment.now
    const from = start ?? Math.max(0, to - week)
    if (to - from > longest) throw invalidArgs('The range must not be longer than 31 days')
    return resolveQuestion({ ...query, verified: 'all', start: from, end: to, step: moment.interval }, moment)
  },
  open:
    ({ clickhouse }) =>
    async (question, { slots, state }) => {
      const newest = slots.findLast((slot) => slot >= question.from && slot < question.to) ?? 0
      const rows = await selectHistogram<Row>(clickhouse, 'tiers/figures', {
        ...parametersOf(question),
        newest,
      })
      const unknown = state.has_rentals ? {} : { rented_gpus: null, occupancy: null, rented_median: null }
      const gpus = byName(question.names, (name) => {
        const own = rows.filter(({ gpu_name }) => gpu_name === name)
        const verified = own.find(({ tier }) => tier === 'verified')?.avail_median ?? null
        return tiers.flatMap((tier): Figures[] => {
          const row = own.find((one) => one.tier === tier)
          if (!row) return []
          const { gpu_name: _, ...figures } = row
          const { avail_median } = figures
          const premium = verified && avail_median !== null ? avail_median / verified - 1 : null
          const rented_median = state.is_own ? null : figures.rented_median
          return [{ ...figures, rented_median, premium, ...unknown }]
        })
      })
      return { reason: rentalsReason(state.has_rentals), gpus }
    },
})
