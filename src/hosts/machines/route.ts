import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import {
  machinesAnswer,
  machinesQuery,
  mostWithFigures,
  type OwnFigures,
} from '../../../contract/machines.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { ClickHouse } from '../../../platform/stores/clickhouse.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import { setStateHeaders, stateHeaders } from '../../market/market-query/answers.ts'
import { plain } from '../../market/market-query/plain.ts'
import type { SeriesView } from '../../market/market-query/series.ts'
import type { CostBook } from '../costs/stored.ts'
import { openComparables } from './comparables.ts'
import type { AdviseFleet } from './fleet-advice.ts'
import { openListingFacts } from './listing-facts.ts'
import { openFigures } from './own-figures.ts'
import type { ListedMachine, OwnMachines } from './own-machines.ts'
import { openPricePositions } from './price-positions.ts'
import { readReported } from './reported.ts'

export interface MachinesOptions {
  own: OwnMachines
  costs: CostBook
  adviseFleet: AdviseFleet
  /** The site's main database. */
  site: Postgres
  /** The market's. */
  postgres: Postgres
  clickhouse: ClickHouse
  series: SeriesView
  clock: Clock
  /** Seconds between slots. */
  snapshotInterval: number
}

/** GET /api/v0/metrics/machines: the caller's own machines, and their prices compared with the market. */
export const machinesRoute: FastifyPluginAsyncZod<MachinesOptions> = async (
  app,
  {
    own,
    costs: costBook,
    adviseFleet,
    site,
    postgres,
    clickhouse,
    series,
    clock,
    snapshotInterval: interval,
  },
) => {
  const comparables = openComparables({ postgres, clickhouse })
  const figuresOf = openFigures({ clickhouse, adviseFleet }, comparables)
  const positionsOf = openPricePositions(comparables)
  const factsOf = openListingFacts(clickhouse)
  app.get(
    '/api/v0/metrics/machines',
    {
      config: { permissions: ['machine_read'], access: 'host', headers: stateHeaders },
      schema: {
        operationId: 'listMachinePositions',
        summary: 'Own machines in the market',
        description: `The machines of the account, ordered by GPU and id, in pages. The filters choose the machines of the market to compare prices
with, as in the history. The price of a machine is the price of its listing. In the market of a source, the machines are the ones that the account claims
(\`PUT /api/v0/metrics/claims\`) and that were seen within 30 days, as of the newest market snapshot. \`figures\` compares each machine with similar
ones: what it earned, what to expect at its price and at others, and how it compares with the machines of other hosts. It does not depend on the
filters. \`marketplace\` is what the marketplace reports to the key of a claim, such as actual earnings.`,
        tags: ['metrics'],
        querystring: machinesQuery,
        response: { 200: machinesAnswer },
      },
    },
    async ({ caller, query: { limit, after = 0, id = 0, figures: wanted, ...filter } }, reply) => {
      const [{ source, machines: found }, costs, recorded, state, slots] = await Promise.all([
        own.page(caller.accountId, { limit: limit + 1, after, id }),
        costBook.read(caller.accountId),
        series.recorded(),
        series.state(),
        series.slots(),
      ])
      const slot = recorded.state.newest_slot
      setStateHeaders(reply, { state, now: clock.now() })
      const rows = found.slice(0, limit)
      const next = found.length > limit ? (rows.at(-1)?.id ?? null) : null
      const market = { state, slots }
      const asked = { account: caller.accountId, source, recorded, market, interval, costs }
      const isWanted = wanted !== 'no' && rows.length <= mostWithFigures
      const [positionOf, facts, told, figures] = await Promise.all([
        positionsOf(rows, { filter, at: market }),
        factsOf(rows, recorded.state),
        source === undefined
          ? undefined
          : readReported(site, { account: caller.accountId, source, ids: rows.map(({ id }) => id) }),
        isWanted ? figuresOf(rows, asked) : undefined,
      ])
      const figuresIn = (machine: ListedMachine): OwnFigures | null => {
        const its = figures?.get(machine.id) ?? null
        return its && wanted === 'brief' ? briefFigures(machine, its) : its
      }
      const machines = rows.map((machine) => ({
        ...machine,
        ...positionOf(machine),
        ...facts(machine),
        marketplace: told?.get(machine.id) ?? null,
        figures: figuresIn(machine),
      }))
      const ofSource = source !== undefined
      const basis = { income_at: ofSource ? ('listed' as const) : ('contract' as const), claimed: ofSource }
      return { success: true as const, slot, machines: plain(machines), ...basis, next }
    },
  )
}

/** Figures for a list of machines: of 12 kB a machine, 9 are its curve and the data behind it. */
const briefFigures = ({ price: own }: ListedMachine, figures: OwnFigures): OwnFigures => ({
  ...figures,
  curve: figures.curve.filter(({ price }) => price === own || price === figures.advice.price),
  price_history: { timestamps: [], price: [] },
  offered: { price: [], available: [] },
  fill_rates: [],
})
