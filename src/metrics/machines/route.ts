import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { marketFilter } from '../../../contract/history.ts'
import { machinesAnswer, type ownMachine } from '../../../contract/machines.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'
import type { Series } from '../series-state.ts'

const most = 1000

type OwnMachine = z.infer<typeof ownMachine>
type Positions = Pick<OwnMachine, 'id' | 'avail_percentile' | 'rented_percentile'>

export interface MachinesOptions {
  postgres: Postgres
  clickhouse: ClickHouse
  series: Series
}

/** GET /api/v0/metrics/machines: the caller's own machines, and how their prices compare with the market. */
export const machinesRoute: FastifyPluginAsyncZod<MachinesOptions> = async (
  app,
  { postgres, clickhouse, series },
) => {
  app.get(
    '/api/v0/metrics/machines',
    {
      config: { permissions: ['machine_read'], access: 'host' },
      schema: {
        summary: 'Own machines in the market',
        description: `The machines of the account, ordered by GPU and id, at most ${most}. The filters choose the machines of the market
that prices are compared with, as in the history. The price of a machine is that of its listing.`,
        tags: ['metrics'],
        querystring: marketFilter,
        response: { 200: machinesAnswer },
      },
    },
    async ({ caller, query }) => {
      const [{ rows }, { newest_slot: slot }] = await Promise.all([
        postgres.query<Omit<OwnMachine, keyof Positions> & { id: number }>(
          loadSql('postgres/queries/market/own_machines'),
          [caller.accountId, most],
        ),
        series.state(),
      ])
      const priced = rows.filter(({ price }) => price !== null)
      const positions = await selectRows<Positions>(
        clickhouse,
        loadSql('clickhouse/queries/machines/price_positions'),
        {
          ids: priced.map(({ id }) => id),
          names: priced.map(({ gpu_name }) => gpu_name),
          prices: priced.map(({ price }) => Number(price)),
          ...query,
          slot,
        },
      )
      const positionOf = new Map(positions.map((position) => [position.id, position]))
      const unknown = { avail_percentile: null, rented_percentile: null }
      const machines = rows.map((machine) => ({ ...machine, ...unknown, ...positionOf.get(machine.id) }))
      return { success: true as const, slot, machines }
    },
  )
}
