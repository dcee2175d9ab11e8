import type { z } from 'zod'
import type { Costs } from '../../../contract/cost-fields.ts'
import type { costsAnswer } from '../../../contract/costs.ts'
import { notFound } from '../../../platform/errors.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'

const nothing: Costs = {
  ...{ kwh_price: null, watts_idle: null, watts_load: null, fee_percent: null },
  ...{ other_per_month: null, purchase_price: null, months: null },
}

export type StoredCosts = Omit<z.infer<typeof costsAnswer>, 'success'>

export const noMachine = () => notFound('There is no such machine')

/** What an account has entered. */
export async function storedCosts(postgres: Postgres, accountId: number): Promise<StoredCosts> {
  const { rows } = await postgres.query<Costs & { id: number | null }>(
    loadSql('postgres/queries/costs/list'),
    [accountId],
  )
  const account = rows.find(({ id }) => id === null) ?? nothing
  return { account, machines: rows.flatMap(({ id, ...costs }) => (id === null ? [] : [{ id, ...costs }])) }
}

/** Replaces the costs of all machines of an account, or of one of them. */
export async function writeCosts(
  postgres: Postgres,
  { accountId, machineId }: { accountId: number; machineId: number | null },
  costs: Costs,
): Promise<void> {
  const values = [accountId, machineId, JSON.stringify(costs)]
  const { rowCount } = await postgres.query(loadSql('postgres/queries/costs/write'), values)
  if (rowCount === 0) throw noMachine()
}
