import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import {
  machinesAnswer,
  machinesQuery,
  mostWithFigures,
  type ownMachine,
} from '../../../contract/machines.ts'
import type { Clock } from '../../../platform/clock.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'
import { storedCosts } from '../costs/stored.ts'
import { momentHeaders, sayMoment } from '../question/answers.ts'
import { plain } from '../question/plain.ts'
import type { SeriesView } from '../question/series.ts'
import { readOwnTerms } from '../terms/own-terms.ts'
import { openFigures } from './own-figures.ts'

type OwnMachine = z.infer<typeof ownMachine>
type Positions = Pick<OwnMachine, 'id' | 'avail_percentile' | 'rented_percentile'>
type Listed = Omit<OwnMachine, 'avail_percentile' | 'rented_percentile' | 'terms' | 'figures'>

export interface MachinesOptions {
  postgres: Postgres
  clickhouse: ClickHouse
  series: SeriesView
  clock: Clock
  /** Seconds between slots. */
  snapshotInterval: number
}

/** GET /api/v0/metrics/machines: the caller's own machines, and how their prices compare with the market. */
export const machinesRoute: FastifyPluginAsyncZod<MachinesOptions> = async (
  app,
  { postgres, clickhouse, series, clock, snapshotInterval: interval },
) => {
  const figuresOf = openFigures(clickhouse)
  app.get(
    '/api/v0/metrics/machines',
    {
      config: { permissions: ['machine_read'], access: 'host', headers: momentHeaders },
      schema: {
        operationId: 'listMachinePositions',
        summary: 'Own machines in the market',
        description: `The machines of the account, ordered by GPU and id, in pages. The filters choose the machines of the market that prices are
compared with, as in the history. The price of a machine is that of its listing.

\`figures\` compares each machine with the machines like it: what it earned, what it may expect at its price and at others, and how it
stands against the machines of other hosts. They do not depend on the filters.`,
        tags: ['metrics'],
        querystring: machinesQuery,
        response: { 200: machinesAnswer },
      },
    },
    async ({ caller, query: { limit, after = 0, id = 0, figures: wanted, ...filter } }, reply) => {
      const [{ rows: found }, costs, state, slots] = await Promise.all([
        postgres.query<Listed>(loadSql('postgres/queries/market/own_machines'), [
          caller.accountId,
          limit + 1,
          after,
          id,
        ]),
        storedCosts(postgres, caller.accountId),
        series.state(),
        series.slots(),
      ])
      const slot = state.newest_slot
      sayMoment(reply, { state, now: clock.now() })
      const rows = found.slice(0, limit)
      const next = found.length > limit ? (rows.at(-1)?.id ?? null) : null
      const priced = rows.filter(({ price }) => price !== null)
      const asked = { account: caller.accountId, state, slots, interval, costs }
      const isWanted = wanted === 'yes' && rows.length <= mostWithFigures
      const [positions, terms, figures] = await Promise.all([
        selectRows<Positions>(clickhouse, loadSql('clickhouse/queries/machines/price_positions'), {
          ids: priced.map(({ id }) => id),
          names: priced.map(({ gpu_name }) => gpu_name),
          prices: priced.map(({ price }) => Number(price)),
          ...filter,
          ...{ own: Number(state.is_own), slot },
        }),
        readOwnTerms(clickhouse, rows, slot),
        isWanted ? figuresOf(rows, asked) : undefined,
      ])
      const positionOf = new Map(positions.map((position) => [position.id, position]))
      const unknown = { avail_percentile: null, rented_percentile: null }
      const machines = rows.map((machine) => ({
        ...machine,
        ...unknown,
        ...positionOf.get(machine.id),
        terms: terms(machine),
        figures: figures?.get(machine.id) ?? null,
      }))
      return { success: true as const, slot, machines: plain(machines), next }
    },
  )
}
