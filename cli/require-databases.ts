import { toError } from '../contract/failure.ts'
import { type ClickHouseAddress, openClickHouse, selectRows } from '../platform/stores/clickhouse.ts'
import { type Postgres, untilStarted } from '../platform/stores/postgres.ts'

const longestReason = 300

/** The place of a server without the user and the password. */
export const placeOfServer = (url: string): string => {
  const { protocol, host } = new URL(url)
  return protocol.startsWith('http') ? `${protocol}//${host}` : host
}

/** An error that names the setting at fault, the server, and the reason on one line. */
function unusable(setting: string, server: string, error: unknown): Error {
  const reason = reasonOf(error).replaceAll(/\s+/g, ' ').trim().slice(0, longestReason)
  return new Error(`${setting}: ${server} cannot be used: ${reason}`, { cause: error })
}

/** Several addresses of one name that all fail make an error without a message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.map((one) => toError(one).message).join('; ')
  return toError(error).message
}

/** Resolves once a configured PostgreSQL answers. An error of one that is embedded stays as it is. */
export async function requirePostgres(postgres: Postgres, databaseUrl: string | undefined): Promise<void> {
  try {
    await untilStarted(postgres, { orAway: !databaseUrl })
  } catch (error) {
    if (!databaseUrl) throw error
    throw unusable('DATABASE_URL', `PostgreSQL at ${placeOfServer(databaseUrl)}`, error)
  }
}

/** Resolves if a configured ClickHouse answers a statement. Its database may be missing yet. */
export async function requireClickHouse(address: ClickHouseAddress | undefined): Promise<void> {
  if (!address) return
  const client = openClickHouse({ ...address, database: 'default' })
  try {
    const rows = await selectRows<{ one: number }>(client, 'SELECT 1 AS one')
    if (rows[0]?.one !== 1) throw new Error('the answer is not one of ClickHouse')
  } catch (error) {
    throw unusable(settingsOf(address, error), `ClickHouse at ${placeOfServer(address.url)}`, error)
  } finally {
    await client.close()
  }
}

const settingsOf = ({ username }: ClickHouseAddress, error: unknown): string =>
  toError(error).message.includes('Authentication failed')
    ? `CLICKHOUSE_USER (${username}) or CLICKHOUSE_PASSWORD`
    : 'CLICKHOUSE_URL'
