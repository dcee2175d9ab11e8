import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createKey, revokeKey } from '../../platform/security/api-keys.ts'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { begun, endless, hasAdHoc, idle } from '../ad-hoc.ts'
import { startServer, type TestServer } from '../server.ts'
import { atOnce, openWorld, type World } from '../world.ts'

let server: TestServer
let world: World
let base: string
beforeAll(async () => {
  server = await startServer()
  world = await openWorld(server)
  base = await server.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server?.close())

const ticket = async (body: object, key = server.adminKey) => {
  const answer = await server.send('POST', '/api/v0/metrics/sql/downloads', key, body)
  expect(answer.status).toBe(200)
  return (answer.body as { url: string }).url
}
const take = async (url: string) => {
  const response = await fetch(new URL(url, base))
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const gone = { success: false, error: 'not_found', msg: expect.any(String) }

describe.skipIf(!hasAdHoc)('a download', () => {
  it.each([
    ['CSV', 'csv', 'text/csv', /^"n","t"\n0,"0"\n1,"1"\n$/],
    ['TSV', 'tsv', 'text/tab-separated-values', /^n\tt\n0\t0\n1\t1\n$/],
    ['JSON', 'json', 'application/json', /"rows": 2/],
    ['JSONEachRow', 'ndjson', 'application/x-ndjson', /^\{"n":0,"t":"0"\}\n/],
    ['Parquet', 'parquet', 'application/octet-stream', /^PAR1.*PAR1$/s],
    ['Arrow', 'arrow', 'application/octet-stream', /^ARROW1/],
  ])('as %s is a file without a key', async (format, extension, type, text) => {
    const query = 'SELECT number AS n, toString(number) AS t FROM numbers({many:UInt8})'
    const answer = await take(await ticket({ query, format, params: { many: 2 } }))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain(type)
    expect(answer.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="rackrate-[0-9T-]+\\.${extension}"$`),
    )
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.text).toMatch(text)
  })

  it('works once, however many ask', async () => {
    const url = await ticket({ query: 'SELECT 1' })
    const answers = await atOnce(8, () => take(url))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)])
    expect(JSON.parse((await take(url)).text)).toEqual(gone)
    // Neither does a look ahead use it up.
    const next = await ticket({ query: 'SELECT 1' })
    const ahead = await fetch(new URL(next, base), { method: 'HEAD' })
    expect(ahead.status).toBe(200)
    expect(ahead.headers.get('content-disposition')).toMatch(
      /^attachment; filename="rackrate-[0-9T-]+\.json"$/,
    )
    expect(ahead.headers.get('content-length')).toBeNull()
    expect((await take(next)).status).toBe(200)
    expect((await fetch(new URL(next, base), { method: 'HEAD' })).status).toBe(404)
  })

  it('is gone when it is too old, and forgotten', async () => {
    const url = await ticket({ query: 'SELECT 1' })
    await server.postgres.query(`UPDATE sql_downloads SET expires_at = rackrate_now() - interval '1 second'`)
    expect(await take(url)).toMatchObject({ status: 404, text: expect.stringContaining('not_found') })
    await ticket({ query: 'SELECT 1' })
    await server.postgres.query(`UPDATE sql_downloads SET expires_at = rackrate_now() - interval '1 second'`)
    await ticket({ query: 'SELECT 2' })
    const { rows } = await server.postgres.query('SELECT query FROM sql_downloads')
    expect(rows).toEqual([{ query: 'SELECT 2' }])
  })

  it('is gone with the right or the key of who asked for it', async () => {
    const { key } = await createKeyFor(server.postgres, { role: 'admin' })
    const { body } = await server.get('/api/v0/users/current', key)
    const { id: admin } = body as { id: number }
    const { id, key: second } = await createKey(server.postgres, { accountId: admin })
    const [revoked, demoted] = [
      await ticket({ query: 'SELECT 1' }, second),
      await ticket({ query: 'SELECT 1' }, key),
    ]
    await revokeKey(server.postgres, `${id}`)
    expect((await take(revoked)).status).toBe(404)
    await server.postgres.query('UPDATE accounts SET is_admin = false WHERE id = $1', [admin])
    expect((await take(demoted)).status).toBe(404)
  })

  it.each(['x', '0'.repeat(64), 'x'.repeat(499), '%27', '%00', '%F0%9F%92%A9'])(
    'there is none under %s',
    async (token) => {
      const answer = await take(`/api/v0/metrics/sql/downloads/${token}`)
      expect([answer.status, JSON.parse(answer.text)]).toEqual([404, gone])
      expect(answer.headers.get('content-disposition')).toBeNull()
    },
  )

  it('is for admins, and refuses what a query would', async () => {
    for (const key of [world.keys.host, world.keys.renter, world.keys.team]) {
      const answer = await server.send('POST', '/api/v0/metrics/sql/downloads', key, { query: 'SELECT 1' })
      expect(answer.status).toBe(403)
    }
    const bad = await server.send('POST', '/api/v0/metrics/sql/downloads', server.adminKey, { query: '' })
    expect(bad.status).toBe(400)
  })

  it('fails as a query does', async () => {
    const wrong = await take(await ticket({ query: 'SELECT 1,, 2', format: 'CSV' }))
    expect([wrong.status, JSON.parse(wrong.text)]).toEqual([
      400,
      { success: false, error: 'sql_error', msg: expect.stringMatching(/^Syntax error/), position: 12 },
    ])
    expect(wrong.headers.get('content-disposition')).toBeNull()
    expect((await take(await ticket({ query: 'DROP TABLE observations' }))).status).toBe(403)
    const late = await ticket({
      query: 'SELECT throwIf(number = 900000) FROM numbers(1000000)',
      format: 'CSV',
    })
    await expect(take(late)).rejects.toThrow()
  })

  it('keeps the hash of its token only, and is audited', async () => {
    const url = await ticket({ query: "SELECT 'audited download'", format: 'TSV' })
    const { rows } = await server.postgres.query<{ row: string; token_hash: Buffer }>(
      `SELECT row_to_json(d)::text AS row, token_hash FROM sql_downloads d WHERE query LIKE '%audited%'`,
    )
    const token = url.split('/').at(-1) ?? ''
    expect(token).toMatch(/^[0-9a-f]{64}$/)
    expect(rows[0]?.row).not.toContain(token)
    expect(rows[0]?.token_hash).toEqual(createHash('sha256').update(token).digest())
    await take(url)
    await vi.waitFor(async () => {
      const { body } = await server.get('/api/v0/metrics/sql/queries?mine=true&limit=1')
      expect(body).toMatchObject([{ query: "SELECT 'audited download'", format: 'TSV', outcome: 'done' }])
    }, 60_000)
  })

  it('ends in ClickHouse when the browser leaves', async () => {
    const leaving = new AbortController()
    const url = await ticket({
      query: endless,
    })
    const asked = fetch(new URL(url, base), { signal: leaving.signal })
    await begun(server)
    leaving.abort()
    await expect(asked).rejects.toThrow()
    await idle(server)
  })
})

it('progress is passed on while a query runs', { skip: !hasAdHoc }, async () => {
  const leaving = new AbortController()
  const response = await fetch(`${base}/api/v0/metrics/sql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      query: endless,
      format: 'Progress',
    }),
    signal: leaving.signal,
  })
  const first = await response.body?.getReader().read()
  expect(JSON.parse(new TextDecoder().decode(first?.value).split('\n')[0] ?? '')).toEqual({
    progress: expect.objectContaining({ total_rows_to_read: '4900000000' }),
  })
  leaving.abort()
})
