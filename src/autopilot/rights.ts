import type { Session } from '../../platform/stores/postgres.ts'

interface RightsQuery {
  account: number
  /** null: the first market. */
  source: string | null
  machines: readonly { id: number }[]
}

/** By machine: the reason why the account must not set its price now; null: it may. */
export async function readRights(
  site: Session,
  { account, source, machines }: RightsQuery,
): Promise<Map<number, string | null>> {
  const values = [account, source, machines.map(({ id }) => id)]
  const query = 'autopilot/rights'
  const { rows } = await site.query<{ id: number; refusal: string | null }>(query, values)
  return new Map(rows.map(({ id, refusal }) => [id, refusal]))
}

/** Running rentals by machine, as the marketplace shows them to the account's key. */
export async function readRentals(
  site: Session,
  { account, source, machines }: RightsQuery,
): Promise<Map<number, { until: number | null }>> {
  const values = [account, source, machines.map(({ id }) => id)]
  const { rows } = await site.query<{ id: number; until: number | null }>('claims/rentals', values)
  return new Map(rows.map(({ id, until }) => [id, { until }]))
}
