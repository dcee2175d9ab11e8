import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { day } from '../../../contract/durations.ts'
import { floorTo } from '../../../contract/ladder.ts'
import { mostAddedUp, ownIncomeAnswer, ownIncomeQuery } from '../../../contract/own-income.ts'
import { setStateHeaders, stateHeaders } from '../../market/market-query/answers.ts'
import { plain } from '../../market/market-query/plain.ts'
import { slotsIn } from '../../market/market-query/timeline.ts'
import { costsOfMachine } from '../costs/stored.ts'
import type { ListedMachine, OwnMachines } from '../machines/own-machines.ts'
import type { MachinesOptions } from '../machines/route.ts'
import { type CostedMachine, openDailyIncome } from './by-day.ts'

/** GET /api/v0/metrics/machines/income: the income of all own machines together, by day. */
export const ownIncomeRoute: FastifyPluginAsyncZod<
  Pick<MachinesOptions, 'own' | 'costs' | 'clickhouse' | 'series' | 'clock' | 'snapshotInterval'>
> = async (app, { own, costs: costBook, clickhouse, series, clock, snapshotInterval: interval }) => {
  const incomeByDay = openDailyIncome(clickhouse)
  app.get(
    '/api/v0/metrics/machines/income',
    {
      config: { permissions: ['machine_read'], access: 'host', headers: stateHeaders },
      schema: {
        operationId: 'readOwnIncome',
        summary: 'Income of own machines by day',
        description: `The income of all machines of the account together on each of the last days in UTC, at most ${mostAddedUp} machines.
The last day is the present one, up to the newest snapshot.`,
        tags: ['metrics'],
        querystring: ownIncomeQuery,
        response: { 200: ownIncomeAnswer },
      },
    },
    async ({ caller, query: { days } }, reply) => {
      const [{ source, machines }, costs, recorded, state] = await Promise.all([
        allOwn(own, caller.accountId),
        costBook.read(caller.accountId),
        series.recorded(),
        series.state(),
      ])
      setStateHeaders(reply, { state, now: clock.now() })
      const { newest_slot: slot, has_rentals } = recorded.state
      const from = Math.max(0, floorTo(day, slot) - (days - 1) * day)
      const costed = machines.map(
        (machine): CostedMachine => ({ ...machine, costs: costsOfMachine(costs, machine) }),
      )
      const found = await incomeByDay(costed, { from, slot, interval, revision: recorded.state.revision })
      const answered = Array.from({ length: slot === 0 ? 0 : days }, (_, index) => {
        const start = from + index * day
        const recorded_seconds = interval * slotsIn(recorded.slots, { from: start, to: start + day })
        const its = found.get(start) ?? { machines: 0, income: 0, net: null }
        const isKnown = has_rentals && recorded_seconds > 0
        return {
          day: start,
          recorded_seconds,
          ...its,
          ...(isKnown ? undefined : { income: null, net: null }),
        }
      })
      return plain({
        success: true as const,
        slot,
        machines: machines.length,
        income_at: source === undefined ? ('contract' as const) : ('listed' as const),
        past_reason: has_rentals ? null : ('no_rentals_known' as const),
        days: answered,
      })
    },
  )
}

const perPage = 1000

/** The machines of an account that are added up. */
async function allOwn(own: OwnMachines, account: number) {
  const machines: ListedMachine[] = []
  let source: string | undefined
  for await (const page of own.pages(account, perPage)) {
    source = page.source
    machines.push(...page.machines)
    if (machines.length >= mostAddedUp) break
  }
  return { source, machines }
}
