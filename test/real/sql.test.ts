import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { z } from 'zod'
import type { sqlSchema } from '../../contract/sql.ts'
import { capture, currentSlot } from '../../ingest/capture.ts'
import { loadAll } from '../../ingest/load.ts'
import { execute, selectRows } from '../../platform/stores/clickhouse.ts'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { begun, endless, hasAdHoc, idle } from '../ad-hoc.ts'
import { smallMarket } from '../market.ts'
import { startServer, type TestServer } from '../server.ts'
import { atOnce, openWorld, type World } from '../world.ts'

let server: TestServer
let world: World
let base: string
beforeAll(async () => {
  server = await startServer()
  await smallMarket(server.postgres, 40)
  world = await openWorld(server)
  await capture(server.postgres, await currentSlot(server.postgres, 300))
  await loadAll(server)
  base = await server.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server?.close())

const ask = (body: object, key = server.adminKey, signal?: AbortSignal) =>
  fetch(`${base}/api/v0/metrics/sql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
const sql = async (query: string, more: object = {}) => {
  const response = await ask({ query, ...more })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe.skipIf(!hasAdHoc)('POST metrics/sql', () => {
  it('answers with parameters, in every format', async () => {
    const query =
      'SELECT gpu_name, toUInt32(sum(gpus)) AS gpus FROM observations WHERE gpu_name != {not:String} GROUP BY gpu_name ORDER BY gpu_name'
    const params = { not: "it's {none}" }
    const json = await sql(query, { params })
    expect(JSON.parse(json.text).data).toEqual([
      { gpu_name: 'H100 SXM', gpus: expect.any(Number) },
      { gpu_name: 'RTX 3090', gpus: expect.any(Number) },
      { gpu_name: 'RTX 4090', gpus: expect.any(Number) },
    ])
    expect(json.headers.get('rackrate-query-id')).toMatch(/^[0-9a-f-]{36}$/)
    const types = {
      JSONCompact: ['application/json', /"data":/],
      JSONEachRow: ['application/x-ndjson', /^\{"gpu_name":"H100 SXM"/],
      CSV: ['text/csv', /^"gpu_name","gpus"\n"H100 SXM",/],
      TSV: ['text/tab-separated-values', /^gpu_name\tgpus\nH100 SXM\t/],
      Parquet: ['application/octet-stream', /^PAR1/],
      Arrow: ['application/octet-stream', /^ARROW1/],
      Progress: ['application/json', /"meta".*\n.*"row":\["H100 SXM"/],
    } as const
    for (const [format, [type, text]] of Object.entries(types)) {
      const answer = await sql(query, { params, format })
      expect([answer.status, answer.headers.get('content-type')], answer.text).toEqual([
        200,
        expect.stringContaining(type),
      ])
      expect(answer.text).toMatch(text)
    }
  })

  it('takes arrays, numbers and nulls as parameters', async () => {
    const { text } = await sql('SELECT {a:Array(UInt32)} AS a, {b:Nullable(String)} AS b, {c:Float64} AS c', {
      params: { a: [1, 2], b: null, c: 1.5 },
    })
    expect(JSON.parse(text).data).toEqual([{ a: [1, 2], b: null, c: 1.5 }])
  })

  it.each([
    ['9,999 texts', Array(9999).fill('a'), 9999],
    ['a text of 10,000 characters', ['ß'.repeat(10_000)], 1],
  ])('takes a list of %s', async (_, x, length) => {
    const { status, text } = await sql('SELECT length({x:Array(String)}) AS n', {
      format: 'CSV',
      params: { x },
    })
    expect([status, text]).toEqual([200, `"n"\n${length}\n`])
  })

  it('refuses more parameters than fit into a request to ClickHouse', async () => {
    const params = { a: Array(40).fill('ß'.repeat(5000)) }
    const answer = await sql('SELECT length({a:Array(String)})', { params })
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('500000 characters') })
  })

  it('returns ClickHouse’s message and the position of an error', async () => {
    expect(await sql('SELECT 1 FRM x y')).toMatchObject({ status: 400 })
    expect(JSON.parse((await sql('SELECT 1,, 2')).text)).toMatchObject({
      success: false,
      error: 'sql_error',
      msg: expect.stringMatching(/^Syntax error/),
      position: 12,
    })
    const unknown = JSON.parse((await sql('SELECT nothing FROM observations')).text)
    expect(unknown).toMatchObject({ error: 'sql_error', msg: expect.stringMatching(/nothing/) })
    expect(unknown.msg).not.toMatch(/version/)
  })

  it('a failure after the first byte breaks off, or is the last line', async () => {
    const query = "SELECT throwIf(number = 900000, 'late') AS x, number FROM numbers(1000000)"
    const lines = (await sql(query, { format: 'Progress' })).text.trim().split('\n')
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ exception: expect.stringMatching(/^late/) })
    const response = await ask({ query, format: 'CSV' })
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
    const { text } = await sql('SELECT 1 AS one')
    expect(JSON.parse(text).data).toEqual([{ one: 1 }])
  })

  it.each([1000, 600, 10])(
    'a failure half way is the last line also of an unread answer (a row for %i numbers)',
    async (each) => {
      const client = await server.postgres.connect()
      await client.query('BEGIN')
      await client.query('LOCK TABLE sql_queries IN SHARE MODE') // no answer begins
      const query = `SELECT number, throwIf(number = 900000, 'late') FROM numbers(1000000)
      WHERE number % {each:UInt32} = 0 OR number = 900000`
      const asked = sql(query, { format: 'Progress', params: { each } })
      await pause(1500)
      await client.query('ROLLBACK')
      client.release()
      const lines = (await asked).text.trim().split('\n')
      expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ exception: expect.stringMatching(/^late/) })
    },
  )

  it('is for admins', async () => {
    for (const key of [world.keys.host, world.keys.renter, world.keys.team])
      expect((await ask({ query: 'SELECT 1' }, key)).status).toBe(403)
  })

  it.each([
    {},
    { query: '' },
    { query: '   ' },
    { query: 5 },
    { query: 'x'.repeat(200_001) },
    { query: 'SELECT 1', format: 'Null' },
    { query: 'SELECT 1', params: { 'a b': 1 } },
  ])('refuses %#', async (body) => {
    expect((await ask(body)).status).toBe(400)
  })

  it('leaving ends the query in ClickHouse', async () => {
    const leaving = new AbortController()
    const asked = ask({ query: endless }, server.adminKey, leaving.signal)
    await begun(server)
    leaving.abort()
    await expect(asked).rejects.toThrow()
    await idle(server)
    const half = new AbortController()
    const streaming = await ask(
      { query: "SELECT number, repeat('x', 150) FROM numbers(9000000)", format: 'CSV' },
      server.adminKey,
      half.signal,
    )
    expect(streaming.status).toBe(200)
    half.abort()
    await idle(server)
    await vi.waitFor(async () => {
      const { rows } = await server.postgres.query<{ outcome: string }>(
        'SELECT outcome FROM sql_queries ORDER BY started_at DESC LIMIT 2',
      )
      expect(rows).toEqual([{ outcome: 'cancelled' }, { outcome: 'cancelled' }])
    }, 60_000)
  })

  it('leaving at once ends it as well', async () => {
    await atOnce(40, async () => {
      const leaving = new AbortController()
      setTimeout(() => leaving.abort(), Math.random() * 25)
      await ask({ query: endless }, server.adminKey, leaving.signal).catch(() => {})
    })
    await idle(server)
  })

  it('no answer is sent before its audit row is written', async () => {
    const { key } = await createKeyFor(server.postgres, { role: 'admin' })
    const operator = server.adHoc?.operator
    if (!operator) throw new Error('no ad hoc SQL')
    // Statements that were left a moment ago may still be on their way. A statement that is refused because of them would not answer either.
    await expect.poll(async () => (await ask({ query: 'SELECT 1' }, key)).status).toBe(200)
    await idle(server)
    const client = await server.postgres.connect()
    let answered = false
    await client.query('BEGIN')
    await client.query('LOCK TABLE sql_queries IN SHARE MODE') // nothing can be recorded
    const asked = ask({ query: 'SELECT 1 /* held */' }, key).finally(() => {
      answered = true
    })
    try {
      await vi.waitFor(
        async () => {
          await execute(operator, 'SYSTEM FLUSH LOGS query_log')
          const query =
            "SELECT 1 FROM system.query_log WHERE query LIKE '%/* held */%' AND type = 'QueryFinish'"
          expect(await selectRows(operator, `${query} AND user <> currentUser()`)).toHaveLength(1)
        },
        { timeout: 120_000, interval: 200 },
      )
      expect(answered).toBe(false)
    } finally {
      await client.query('ROLLBACK') // the service could not end with it
      client.release()
    }
    expect((await asked).status).toBe(200)
    const { rows } = await server.postgres.query('SELECT FROM sql_queries WHERE query = $1', [
      'SELECT 1 /* held */',
    ])
    expect(rows).toHaveLength(1)
  })

  it('statements with their account and cost are listed for admins', async () => {
    // An account without other requests: abandoned ones may still be in progress.
    const { key } = await createKeyFor(server.postgres, { role: 'admin' })
    for (const query of ['SELECT count() FROM observations /* audited */', 'SELECT broken'])
      await (await ask({ query }, key)).text()
    await vi.waitFor(
      async () => {
        const { body } = await server.get('/api/v0/metrics/sql/queries?mine=true&limit=2', key)
        expect(body).toEqual([
          expect.objectContaining({
            query: 'SELECT broken',
            outcome: 'failed',
            error: expect.stringContaining('broken'),
          }),
          expect.objectContaining({
            query: 'SELECT count() FROM observations /* audited */',
            outcome: 'done',
            format: 'JSON',
            result_rows: 1,
            read_rows: expect.any(Number),
            duration_ms: expect.any(Number),
          }),
        ])
      },
      { timeout: 120_000 },
    )
  })
})

describe.skipIf(!hasAdHoc)('the guard', () => {
  const db = () => server.clickhouseAddress.database
  // Statements that ClickHouse refuses, not this service. Each leaves everything unchanged.
  const attacks = [
    'INSERT INTO observations (slot) VALUES (1)',
    'CREATE TABLE x (a Int8) ENGINE = Memory',
    'CREATE TEMPORARY TABLE x (a Int8)',
    'CREATE DATABASE x',
    "CREATE USER x IDENTIFIED BY 'y'",
    'CREATE FUNCTION f AS (x) -> x',
    "CREATE DICTIONARY d (a UInt64) PRIMARY KEY a SOURCE(FILE(path '/etc/passwd' format 'CSV')) LAYOUT(FLAT()) LIFETIME(1)",
    'CREATE VIEW v AS SELECT 1',
    'ALTER TABLE observations DELETE WHERE 1',
    'DROP TABLE observations',
    'TRUNCATE TABLE observations',
    'RENAME TABLE observations TO x',
    'OPTIMIZE TABLE observations',
    'DETACH TABLE observations',
    'GRANT ALL ON *.* TO rackrate_sql',
    'SET readonly = 0',
    'SET max_execution_time = 0',
    'SELECT 1 SETTINGS readonly = 0',
    'SELECT 1 SETTINGS max_execution_time = 0',
    'SELECT * FROM numbers(10) SETTINGS max_memory_usage = 0',
    'SYSTEM SHUTDOWN',
    'SYSTEM FLUSH LOGS',
    'SYSTEM START LISTEN TCP',
    'KILL QUERY WHERE 1',
    "BACKUP TABLE observations TO File('x')",
    "SELECT * FROM file('/etc/passwd', LineAsString)",
    "SELECT * FROM file('*', LineAsString)",
    "INSERT INTO FUNCTION file('x.csv') SELECT 1",
    "SELECT * FROM url('http://127.0.0.1/', LineAsString)",
    "SELECT * FROM urlCluster('default', 'http://127.0.0.1/', LineAsString)",
    "SELECT * FROM s3('http://127.0.0.1/x.csv')",
    "SELECT * FROM gcs('http://127.0.0.1/x.csv')",
    "SELECT * FROM azureBlobStorage('x', 'y', 'z')",
    "SELECT * FROM hdfs('hdfs://127.0.0.1/x', CSV)",
    "SELECT * FROM remote('127.0.0.1', system.one)",
    "SELECT * FROM remote('127.0.0.1:1', system.users)",
    "SELECT * FROM remoteSecure('127.0.0.1', system.one)",
    "SELECT * FROM cluster('default', system.one)",
    "SELECT * FROM postgresql('127.0.0.1:5432', 'a', 'b', 'c', 'd')",
    "SELECT * FROM mysql('127.0.0.1:3306', 'a', 'b', 'c', 'd')",
    "SELECT * FROM mongodb('127.0.0.1:27017', 'a', 'b', 'c', 'd', 'x Int8')",
    "SELECT * FROM redis('127.0.0.1:6379', 'k', 'k String')",
    "SELECT * FROM sqlite('/etc/passwd', 'x')",
    "SELECT * FROM jdbc('x', 'y', 'z')",
    "SELECT * FROM odbc('x', 'y', 'z')",
    "SELECT * FROM executable('id', TSV, 'x String')",
    "SELECT * FROM icebergLocal('/tmp')",
    "SELECT * FROM input('x Int8') FORMAT CSV",
    "SELECT * FROM merge('system', '.*')",
    "SELECT * FROM loop('system', 'users')",
    "SELECT * FROM dictionary('x')",
    "SELECT dictGet('x', 'y', 1)",
    "SELECT file('/etc/passwd')",
    "SELECT x FROM generateRandom('a Int8, x String ALIAS file(''/etc/passwd'')') LIMIT 1",
    "SELECT x FROM generateRandom(concat('a Int8, x String ALIAS fi','le(''/etc/passwd'')')) LIMIT 1",
    "SELECT x FROM values('a Int8, x String ALIAS file(''/etc/passwd'')', 1)",
    "SELECT x FROM null('a Int8, x Int32 ALIAS toInt32(file(''/etc/passwd''))')",
    "SELECT file('/proc/1/environ')",
    `SELECT file('/proc/${process.pid}/environ')`,
    `SELECT file('${process.cwd()}/package.json')`,
    "SELECT file('/proc/self/root/etc/passwd')",
    "SELECT file('/proc/self/cwd/../postgres.json')",
    'SELECT showCertificate()',
    "SELECT `file`('/etc/passwd')",
    'SELECT "file"(\'/etc/passwd\')',
    "SELECT `fi\\x6ce`('/etc/passwd')",
    "SELECT arrayMap(file, ['/etc/passwd'])",
    "SELECT arrayMap(x -> file(x), ['/etc/passwd'])",
    "SELECT * APPLY(file) FROM (SELECT '/etc/passwd')",
    "SELECT * APPLY (f -> file(f)) FROM (SELECT '/etc/passwd')",
    "WITH file AS f SELECT f('/etc/passwd')",
    "SELECT arrayMap({f:Identifier}, ['/etc/passwd'])",
    "EXPLAIN SELECT file('/etc/passwd')",
    "SELECT/**/file/**/('/etc/passwd')",
    "DESCRIBE (SELECT file('/etc/passwd'))",
    "SELECT catboostEvaluate('/etc/passwd', 1)",
    "SELECT aiGenerate('x')",
    "SELECT getClientHTTPHeader('Authorization')",
    "EXECUTE IMMEDIATE 'SELECT 1'",
    'SELECT * FROM system.query_log',
    'SELECT * FROM system.users',
    'SELECT * FROM system.grants',
    'SELECT * FROM system.processes',
    'SELECT * FROM system.server_settings',
    'SELECT * FROM system.disks',
    'SELECT * FROM system.text_log',
    'SELECT * FROM system.zookeeper',
    'SELECT * FROM INFORMATION_SCHEMA.TABLES',
    'SELECT * FROM default.x',
    'SELECT 1; SELECT 2',
    'SELECT 1; DROP TABLE observations',
    '/* a */ DROP /* b */ TABLE -- c\n observations',
    'DR\u200bOP TABLE observations',
    'ＤＲＯＰ TABLE observations',
    "SELECT * FROM observations INTO OUTFILE '/tmp/rackrate-outfile.csv'",
    'EXPLAIN PIPELINE SELECT * FROM system.users',
    'DESCRIBE TABLE system.users',
    "DESCRIBE TABLE url('http://127.0.0.1/x.csv')",
    'SHOW GRANTS FOR rackrate',
    'SHOW CREATE USER rackrate',
    'SHOW PROCESSLIST',
    'EXECUTE AS rackrate SELECT 1',
    'BEGIN TRANSACTION',
    'SELECT * FROM view(SELECT * FROM system.users)',
    'WITH x AS (SELECT * FROM system.users) SELECT * FROM x',
    'SELECT (SELECT count() FROM system.users)',
    'SELECT 1 WHERE 1 IN (SELECT 1 FROM system.users)',
    'PARALLEL WITH SELECT 1',
    'SELECT addressToLine(1)',
    "SELECT demangle('x')",
  ]
  it.each(attacks)('refuses %s', async (query) => {
    const { status, text } = await sql(query, { format: 'CSV', params: { f: 'file' } })
    expect([400, 403], text.slice(0, 300)).toContain(status)
    expect(JSON.parse(text)).toMatchObject({ success: false, error: expect.any(String) })
    expect(text).not.toMatch(/root:x:|PATH=/)
  })

  it.each(['SYSTEM STOP MERGES', 'SET ROLE ALL', 'SELECT name FROM system.settings LIMIT 1'])(
    '%s is let through and does nothing',
    async (query) => {
      expect((await sql(query)).status).toBe(200)
      await execute(server.clickhouse, 'OPTIMIZE TABLE slots FINAL')
      expect((await sql('SELECT * FROM system.users')).status).toBe(403)
    },
  )

  // Bounded statements: these may begin, and end within the limits.
  const bombs = [
    ['memory', 'SELECT groupArray(number) FROM numbers(100000000000)'],
    ['memory by sorting', 'SELECT number FROM numbers(100000000000) ORDER BY sipHash64(number)'],
    [
      'memory by joining',
      'SELECT count() FROM numbers(10000000000) AS a JOIN numbers(10000000000) AS b ON a.number = b.number',
    ],
    [
      'memory by one value',
      "SELECT repeat('x', 1000000000), repeat('y', 1000000000), repeat('z', 1000000000), arrayMap(x -> repeat('x', 1000000), range(100000))",
    ],
    ['a wide row', 'SELECT range(1000000000)'],
    ['nesting', `SELECT ${'('.repeat(5000)}1${')'.repeat(5000)}`],
    ['many columns', `SELECT ${Array.from({ length: 60_000 }, (_, n) => `1 AS a${n}`).join()}`],
    [
      'expansion',
      `WITH ${Array.from({ length: 30 }, (_, n) => `${n ? `a${n - 1} + a${n - 1}` : 1} AS a${n}`).join()} SELECT a29`,
    ],
    ['recursion', 'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT count() FROM r'],
    ['a regular expression', `SELECT match(repeat('a', 100000), '(a*)*b')`],
  ] as const
  it.each(bombs)('bounds %s', async (_what, query) => {
    const { status, text } = await sql(query, { format: 'CSV' }).catch(() => ({ status: 0, text: '' }))
    // The statement may be cut off, refused or completed, but it ends soon, and the next query answers.
    expect([0, 200, 400, 422, 503], text.slice(0, 300)).toContain(status)
    await idle(server)
    expect(JSON.parse((await sql('SELECT 1 AS one')).text).data).toEqual([{ one: 1 }])
  })

  it('bounds how many run at once', async () => {
    const leaving = new AbortController()
    const slow = Array.from({ length: 12 }, () =>
      ask({ query: endless }, server.adminKey, leaving.signal).then(
        ({ status, headers }) => [status, headers.has('retry-after')] as const,
        () => undefined,
      ),
    )
    const refused = await Promise.race([
      Promise.all(slow.map(async (one) => (await one)?.[0] === 429 || new Promise<never>(() => {}))),
      vi.waitFor(
        async () => {
          const { rows } = await server.postgres.query(
            `SELECT FROM sql_queries WHERE error LIKE '%imultaneous%'`,
          )
          expect(rows.length).toBeGreaterThanOrEqual(8)
          return rows.length
        },
        { timeout: 120_000 },
      ),
    ])
    expect(refused).toBeGreaterThanOrEqual(8)
    // The service's own statements do not wait in the queue of ad hoc SQL.
    const answered = async () => (await server.get('/api/v0/metrics/gpu/names')).status
    await expect.poll(answered, { timeout: 20_000 }).toBe(200)
    leaving.abort()
    await Promise.all(slow)
    await idle(server)
  })

  it('nothing has changed', async () => {
    const rows = await selectRows<{ name: string }>(
      server.clickhouse,
      `SELECT name FROM system.tables WHERE database = {db:String} ORDER BY name`,
      { db: db() },
    )
    expect(rows.map(({ name }) => name)).toEqual([
      'bucket_rows',
      'cube',
      'flow_rows',
      'flows',
      'gpu_returns',
      'histogram_rows',
      'list_prices',
      'machine_day_rows',
      'machine_days',
      'market',
      'migrations',
      'observations',
      'official',
      'price_histogram',
      'price_index',
      'price_index_rows',
      'price_steps',
      'published_days',
      'slot_rows',
      'slots',
      'spec_rows',
      'specs',
      'step_rows',
      'term_rows',
      'terms',
    ])
    const [counted] = await selectRows<{ n: number }>(
      server.clickhouse,
      'SELECT count() AS n FROM observations',
    )
    expect(counted?.n).toBeGreaterThan(0)
  })
})

describe.skipIf(!hasAdHoc)('the schema, dashboards and saved queries', () => {
  it('the schema has tables, columns, types and sizes', async () => {
    const body: z.infer<typeof sqlSchema> = (await server.get('/api/v0/metrics/sql/schema')).body
    const observations = body.tables.find(({ name }) => name === 'observations')
    expect(observations).toMatchObject({ rows: expect.any(Number), bytes: expect.any(Number) })
    expect(observations?.columns).toContainEqual({
      name: 'gpu_name',
      type: expect.stringContaining('String'),
      comment: expect.stringMatching(/GPU/),
    })
    expect(body.functions).toEqual(
      expect.arrayContaining(['count', 'quantileExactWeighted', 'toStartOfHour']),
    )
    expect(body.keywords).toEqual(expect.arrayContaining(['SELECT', 'ORDER BY']))
    expect(body.types).toEqual(expect.arrayContaining(['UInt64', 'DateTime64']))
  })

  it('dashboards are shared by all admins, and no change overwrites another one', async () => {
    const { key: second } = await createKeyFor(server.postgres, { role: 'admin' })
    const root = '/api/v0/metrics/sql/dashboards'
    const panel = { name: 'one', query: 'SELECT {n:UInt8} AS n', params: { n: 1 } }
    const create = (name: string, panels: object[] = [panel]) =>
      server.send('POST', root, server.adminKey, { name, panels })
    const { id } = (await create('Prices')).body as { id: number }
    const change = (key: string, body: object) => server.send('PUT', `${root}/${id}`, key, body)
    expect((await server.get(root, second)).body).toMatchObject({
      dashboards: [{ id, name: 'Prices', panels: 1, revision: 1 }],
    })
    const chart = { kind: 'line', x: 't', y: ['n'], by: null }
    const changed = { name: 'prices', panels: [panel, { ...panel, chart }], revision: 1 }
    expect((await change(second, changed)).body).toEqual({ success: true, revision: 2 })
    // The first admin does not know the change.
    expect(await change(server.adminKey, { ...changed, panels: [] })).toMatchObject({
      status: 409,
      body: { error: 'conflict' },
    })
    expect((await server.get(`${root}/${id}`, server.adminKey)).body).toMatchObject({
      dashboard: { name: 'prices', revision: 2, panels: [{ ...panel, chart: null }, { chart }] },
    })

    const other = ((await create('Other')).body as { id: number }).id
    expect((await create('OTHER')).body).toMatchObject({
      error: 'invalid_args',
      msg: expect.stringMatching(/with this name/),
    })
    expect((await change(second, { ...changed, name: 'other', revision: 2 })).status).toBe(400)
    // If two requests take one name at the same time, one succeeds.
    const renamed = { name: 'taken', panels: [], revision: 2 }
    const raced = await Promise.all([change(second, renamed), create('Taken'), create('taken')])
    expect(raced.map(({ status }) => status).sort()).toEqual([200, 400, 400])

    for (const wrong of [
      { name: '' },
      { name: 'x'.repeat(101) },
      { name: 'x\ny' },
      { name: 'x', panels: Array(13).fill(panel) },
      { name: 'x', panels: [{ ...panel, query: 'x'.repeat(20_001) }] },
      { name: 'x', panels: [{ ...panel, chart: { ...chart, y: [] } }] },
      { name: 'x', panels: [{ ...panel, chart: { ...chart, kind: 'pie' } }] },
    ])
      expect((await server.send('POST', root, server.adminKey, wrong)).status, JSON.stringify(wrong)).toBe(
        400,
      )
    for (const unknown of ['2147483647', '99999999999', 'x'])
      for (const [method, body] of [['GET'], ['PUT', { name: 'y', revision: 1 }], ['DELETE']] as const)
        expect((await server.send(method, `${root}/${unknown}`, second, body)).status).toBe(404)

    await server.postgres.query(
      `INSERT INTO dashboards (name, panels) SELECT 'many ' || n, '[]' FROM generate_series(1, 198) n`,
    )
    expect((await create('one too many')).body).toMatchObject({ msg: expect.stringMatching(/at most 200/) })
    await server.postgres.query("DELETE FROM dashboards WHERE name LIKE 'many %'")
    expect((await server.send('DELETE', `${root}/${other}`, second)).status).toBe(200)
    expect((await server.send('DELETE', `${root}/${other}`, second)).status).toBe(404)
  })

  it('queries are saved by name, and shared', async () => {
    const save = (body: object) => server.send('POST', '/api/v0/metrics/sql/saved', server.adminKey, body)
    const first = await save({ name: 'prices', query: 'SELECT 1' })
    expect((await save({ name: 'prices', query: 'SELECT 2', shared: true })).body).toEqual(first.body)
    const { id } = first.body as { id: number }
    expect((await server.get('/api/v0/metrics/sql/saved')).body).toMatchObject([
      { id, name: 'prices', query: 'SELECT 2', shared: true },
    ])
    expect((await server.send('DELETE', `/api/v0/metrics/sql/saved/${id}`, server.adminKey)).status).toBe(200)
    expect((await server.send('DELETE', `/api/v0/metrics/sql/saved/${id}`, server.adminKey)).status).toBe(404)
  })
})
