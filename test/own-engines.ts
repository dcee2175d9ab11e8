import pg from 'pg'
import type { Engines } from '../embedded/engines.ts'

/** Asks ClickHouse over HTTP, as its account or another one. */
export async function askClickHouse(
  engines: Pick<Engines, 'clickhouse'> | undefined,
  query: string,
  credentials?: { user: string; password: string },
): Promise<{ ok: boolean; text: string }> {
  const server = engines?.clickhouse
  if (!server) throw new Error('no ClickHouse')
  const { user, password } = credentials ?? { user: server.username, password: server.password }
  const response = await fetch(server.url, {
    method: 'POST',
    body: query,
    headers: { authorization: `Basic ${btoa(`${user}:${password}`)}`, connection: 'close' },
  })
  return { ok: response.ok, text: await response.text() }
}

/** Asks PostgreSQL over a connection of its own. */
export async function askPostgres(
  engines: Pick<Engines, 'databaseUrl'> | undefined,
  query: string,
): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: engines?.databaseUrl })
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query(query)
  await client.end()
  return rows
}
