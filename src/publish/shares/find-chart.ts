import { type SharedChart, sharedChart } from '../../../contract/shares.ts'
import { hashToken } from '../../../platform/security/token.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'

/** The chart of a link. undefined: the link never existed, was revoked, or its key has ended. */
export async function findChart(postgres: Postgres, token: string): Promise<SharedChart | undefined> {
  const { rows } = await postgres.query<{ chart: unknown }>('shares/find', [hashToken(token)])
  return rows[0] && sharedChart.parse(rows[0].chart)
}
