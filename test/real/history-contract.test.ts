import { mkdirSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { capture } from '../../ingest/capture.ts'
import { loadAll } from '../../ingest/load.ts'
import { createKey } from '../../platform/security/api-keys.ts'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { smallMarket } from '../market.ts'
import { startServer, type TestServer } from '../server.ts'

const path = '/api/v0/metrics/gpu/history'
const slots = [1_750_000_200, 1_750_000_500, 1_750_003_800]
const range = `start=${slots[0]}&end=${(slots[2] ?? 0) + 1}`
let server: TestServer

beforeAll(async () => {
  server = await startServer()
  await smallMarket(server.postgres, 24)
  for (const slot of slots) await capture(server.postgres, slot)
  await loadAll(server)
})
afterAll(() => server?.close())

describe('access of callers', () => {
  it('a host without active machines gets a marked answer', async () => {
    const { key } = await createKeyFor(server.postgres, { role: 'host' })
    expect((await server.get(path, key)).body).toEqual({ success: true, needs_machine: true, gpus: {} })
  })

  it('a host with machines gets the market', async () => {
    const { key } = await createKey(server.postgres, { accountId: 1001 })
    const { body } = await server.get(`${path}?${range}`, key)
    expect(body).toMatchObject({
      success: true,
      needs_machine: false,
      gpus: { 'RTX 4090': { stats: { tflops: 75 } } },
    })
  })

  it('neither host nor admin is 403', async () => {
    const { key } = await createKeyFor(server.postgres, { role: 'user' })
    for (const url of [path, '/api/v0/metrics/gpu/names']) {
      expect(await server.get(url, key)).toMatchObject({
        status: 403,
        body: { success: false, error: 'forbidden', msg: 'Host or admin access required' },
      })
    }
  })

  it('a key without machine_read is 403', async () => {
    const { key } = await createKey(server.postgres, {
      accountId: 1001,
      permissions: { api: { instance_read: {} } },
    })
    expect(await server.get(path, key)).toMatchObject({
      status: 403,
      body: { success: false, error: 'forbidden' },
    })
  })
})

describe('bad input', () => {
  const integers = 'start, end, and step must be integers'
  const verified = "verified must be 'yes', 'no', or 'all'"
  const hosting = "hosting_type must be 'all', 'secure_cloud', or 'community'"
  it.each([
    ['gpu_name=', 'gpu_name is required'],
    ['gpu_name=,,', 'gpu_name is required'],
    ['verified=maybe', verified],
    ['verified=YES', verified],
    ['verified=yes&verified=no', verified],
    ['hosting_type=datacenter', hosting],
    ['hosting_type=all&hosting_type=all', hosting],
    ['start=yesterday', integers],
    ['start=', integers],
    ['start=1.5', integers],
    ['start=1e9', integers],
    ['end=0x10', integers],
    ['step=1&step=2', integers],
    ['step=%00', integers],
    ['start=2000&end=1000', 'start must be <= end'],
  ])('%s', async (query, msg) => {
    expect(await server.get(`${path}?${query}`)).toMatchObject({
      status: 400,
      body: { success: false, error: 'invalid_args', msg },
    })
  })

  it.each([
    'start=-1',
    'end=253370764800',
    'start=9223372036854775808',
    'end=99999999999999999999999',
    'step=0',
    'step=-60',
    'step=9223372036854775807',
    'num_gpus=0',
    'num_gpus=-1',
    'num_gpus=four',
    'num_gpus=99999999999999999999',
    `gpu_name=${Array.from({ length: 10_000 }, (_, n) => `GPU${n}`).join(',')}`,
    'gpu_name=a&gpu_name=b',
    'gpu_name=a&gpu_name[]=b',
    'verified[]=yes&verified[]=no',
    `gpu_name=${encodeURIComponent(`RTX' OR 1=1 --`)}`,
    `gpu_name=${encodeURIComponent('RTX {names:String}')}`,
    `gpu_name=${encodeURIComponent('RTX\u0000 4090')}`,
    `gpu_name=${encodeURIComponent('RTX\n4090;')}`,
  ])('outside the contract, %#', async (query) => {
    const { status, body } = await server.get(`${path}?${query}`)
    expect(status).toBe(400)
    expect(body).toEqual({ success: false, error: 'invalid_args', msg: expect.any(String) })
  })

  it('unknown names answer with empty series, whatever they are called', async () => {
    const { status, body } = await server.get(
      `${path}?gpu_name=RTX_9999,__proto__,constructor,toString&${range}`,
    )
    expect(status).toBe(200)
    const gpus = (body as { gpus: Record<string, { pricing: { timestamps: number[] } }> }).gpus
    expect(Object.keys(gpus)).toEqual(['RTX 9999', 'proto', 'constructor', 'toString'])
    for (const gpu of Object.values(gpus)) expect(gpu.pricing.timestamps).toEqual([])
  })
})

describe('manners', () => {
  it('names match in any case, with `_` or spaces, and are returned as the market writes them', async () => {
    const { body } = await server.get(`${path}?gpu_name=rtx_4090,%20RTX%20%204090%20,h100_sxm&${range}`)
    expect(Object.keys((body as { gpus: object }).gpus)).toEqual(['RTX 4090', 'H100 SXM'])
  })

  it.each([
    'gpu_name[]=RTX_4090&gpu_name[]=H100_SXM',
    'gpu_name%5B%5D=RTX_4090,H100_SXM',
    'gpu_name[]=RTX_4090&gpu_name%5b%5d=H100+SXM',
  ])('a list is read as libraries write it: %s', async (names) => {
    const { body } = await server.get(`${path}?${names}&${range}`)
    expect(body).toEqual((await server.get(`${path}?gpu_name=RTX+4090,H100+SXM&${range}`)).body)
  })

  it('without gpu_name the three default types are asked for', async () => {
    const { body } = await server.get(`${path}?${range}`)
    expect(Object.keys((body as { gpus: object }).gpus).sort()).toEqual(['RTX 3090', 'RTX 4090', 'RTX 5090'])
  })

  it('both slash forms answer alike', async () => {
    expect((await server.get(`${path}/?${range}`)).body).toEqual((await server.get(`${path}?${range}`)).body)
  })

  it('verified=yes leaves the unverified arrays zero, and the counts add up', async () => {
    const { body } = await server.get(`${path}?gpu_name=all&verified=all&${range}&step=60`)
    const { body: yes } = await server.get(`${path}?gpu_name=all&${range}&step=60`)
    type Answer = { gpus: Record<string, { supply_demand: Record<string, number[]> }> }
    for (const { supply_demand: s } of Object.values((body as Answer).gpus)) {
      expect(s.timestamps).toEqual(slots.map((slot) => slot - (slot % 60)))
      const sum = (names: string[]) =>
        s.timestamps?.map((_, i) => names.reduce((total, name) => total + (s[name]?.[i] ?? 0), 0))
      expect(s.total).toEqual(
        sum(['rented_verified', 'avail_verified', 'rented_unverified', 'avail_unverified']),
      )
      expect(s.available).toEqual(sum(['avail_verified', 'avail_unverified']))
      expect(s.total_gpus).toEqual(
        sum([
          'rented_verified_gpus',
          'avail_verified_gpus',
          'rented_unverified_gpus',
          'avail_unverified_gpus',
        ]),
      )
    }
    for (const { supply_demand: s } of Object.values((yes as Answer).gpus)) {
      expect([...(s.rented_unverified ?? []), ...(s.avail_unverified_gpus ?? [])].every((n) => n === 0)).toBe(
        true,
      )
    }
  })

  it('a step that would give too many points is raised, and the answer names it', async () => {
    const { headers, body } = await server.get(`${path}?gpu_name=RTX_4090&start=0&end=1750003801&step=1`)
    expect(Number(headers['rackrate-step'])).toBeGreaterThanOrEqual(1)
    const { pricing } = (body as { gpus: Record<string, { pricing: { timestamps: number[] } }> }).gpus[
      'RTX 4090'
    ] ?? { pricing: { timestamps: [] } }
    expect(pricing.timestamps.length).toBeLessThanOrEqual(5000)
    expect(pricing.timestamps.length).toBeGreaterThan(0)
  })

  it('an ETag makes a repeated question a 304 and ages with the slot', async () => {
    const url = `${path}?${range}`
    const headers = { authorization: `Bearer ${server.adminKey}` }
    const first = await server.app.inject({ url, headers })
    expect(first.headers).toMatchObject({
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
      'cache-control': expect.stringMatching(/^private, max-age=\d+$/),
    })
    const etag = String(first.headers.etag)
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await server.app.inject({ url, headers: { ...headers, 'if-none-match': tag } })
      expect([again.statusCode, again.body]).toEqual([304, ''])
    }
    expect(
      (await server.app.inject({ url, headers: { ...headers, 'if-none-match': '"other"' } })).statusCode,
    ).toBe(200)
  })

  it.each([
    ['gzip, deflate', 'gzip'],
    ['gzip;q=0.5', 'gzip'],
    ['gzip;q=1.0, identity;q=0.3', 'gzip'],
    ['gzip;q=0', undefined],
    ['*;q=0', undefined],
    ['gzip;q=0, *', undefined],
    ['identity', undefined],
    ['', undefined],
  ])('is compressed where `Accept-Encoding: %s` takes it', async (accepted, encoding) => {
    const headers = { authorization: `Bearer ${server.adminKey}`, 'accept-encoding': accepted }
    const answer = await server.app.inject({ url: `${path}?${range}`, headers })
    expect(answer.headers['content-encoding']).toBe(encoding)
  })

  it('the answer has the age of the market', async () => {
    const { headers } = await server.get(path)
    expect(Number(headers['rackrate-newest-slot'])).toBe(slots[2])
    expect(Number(headers['rackrate-data-age'])).toBeGreaterThan(1_000_000)
    expect(headers['rackrate-simulated']).toBeUndefined()
  })

  it('names lists what can be asked for', async () => {
    const { body } = await server.get('/api/v0/metrics/gpu/names/')
    expect((body as { names: object[] }).names).toContainEqual({
      name: 'H100 SXM',
      machines: 8,
      gpus: expect.any(Number),
      first_seen: slots[0],
      last_seen: slots[2],
      memory: [24],
    })
  })
})

describe('a shared chart', () => {
  const question = `gpu_name=RTX+4090&verified=all&${range}`
  const share = async (chart: object, key = server.adminKey) => {
    const { status, body } = await server.send('POST', '/api/v0/shares', key, { metric: 'price', ...chart })
    const { id, url = '', msg } = body as { id: number; url?: string; msg?: string }
    return { status, id, url, msg, token: url.split('chart=')[1] ?? '' }
  }
  const open = (token: string) => server.app.inject({ url: `/api/v0/shared/${token}` })
  const hostsKey = async () => {
    const { id, key } = await createKey(server.postgres, { accountId: 1001 })
    return { id, key }
  }

  it('has the figures of the history for anyone with the link, and no data of the account', async () => {
    const { url, token } = await share({ query: question }, (await hostsKey()).key)
    expect(url).toMatch(/^\/shared\?chart=[0-9a-f]{64}$/)
    const { statusCode, headers, body } = await open(token)
    const history = await server.get(`${path}?${question}`)
    expect(statusCode).toBe(200)
    expect(JSON.parse(body)).toEqual({
      success: true,
      chart: {
        query: `gpu_name=RTX+4090&verified=all&hosting_type=all&num_gpus=all&gpu_memory=all&${range}`,
        last: null,
        metric: 'price',
        unit: 'gpus',
        side: 'available',
        score: 'dlperf',
        axis: 'usd',
        zone: 'local',
      },
      gpus: (history.body as { gpus: object }).gpus,
    })
    for (const name of ['rackrate-step', 'rackrate-newest-slot'])
      expect(headers[name]).toBe(history.headers[name])
    expect(headers['x-frame-options']).toBe('DENY')
    // Such an answer is never repeated before the limits are counted, since they are limits of an account.
    expect((await open(token)).statusCode).toBe(200)
    const { rows } = await server.postgres.query<{ text: string }>(
      'SELECT string_agg(s::text, chr(10)) AS text FROM shared_charts s',
    )
    expect(rows[0]?.text).not.toContain(token)
  })

  it('is answered like one that never was when it is revoked, or its key has ended', async () => {
    const never = await open('0'.repeat(64))
    expect(never.statusCode).toBe(404)
    const { id: keyId, key } = await hostsKey()
    const [revoked, ended] = [
      await share({ query: 'gpu_name=L4', last: 3600 }, key),
      await share({ query: 'gpu_name=L4', last: 3600 }, key),
    ]
    const stranger = await createKeyFor(server.postgres, { role: 'host' })
    for (const other of [server.adminKey, stranger.key])
      expect((await server.send('DELETE', `/api/v0/shares/${revoked.id}`, other)).status).toBe(404)
    expect((await open(revoked.token)).statusCode).toBe(200)
    expect((await server.send('DELETE', `/api/v0/shares/${revoked.id}`, key)).status).toBe(200)
    await server.postgres.query('UPDATE api_keys SET revoked_at = rackrate_now() WHERE id = $1', [keyId])
    for (const { token } of [revoked, ended])
      expect([(await open(token)).statusCode, (await open(token)).body]).toEqual([404, never.body])
    const { shares } = (await server.get('/api/v0/shares', (await hostsKey()).key)).body as {
      shares: { id: number; stop_reason: string | null }[]
    }
    expect(shares.find(({ id }) => id === ended.id)?.stop_reason).toMatch(/has ended/)
    expect(shares.some(({ id }) => id === revoked.id)).toBe(false)
  })

  it.each([
    [{ query: 'gpu_name=L4&verified=maybe' }, "verified must be 'yes', 'no', or 'all'"],
    [{ query: 'gpu_name=L4&start=x' }, 'start, end, and step must be integers'],
    [{ query: 'gpu_name=L4&start=5&end=4' }, 'start must be <= end'],
    [{ query: 'gpu_name=all' }, 'query must name at most 8 GPU types'],
    [{ query: 'gpu_name=a,b,c,d,e,f,g,h,i' }, 'query must name at most 8 GPU types'],
    [{ query: 'gpu_name=<script>' }, expect.stringContaining('gpu_name must be GPU names')],
    [{ query: 'gpu_name=L4&start=5', last: 3600 }, 'query must not have start or end together with last'],
    [{ query: 'gpu_name=L4', last: 1 }, expect.any(String)],
    [{ query: 'gpu_name=L4', metric: 'machines' }, expect.any(String)],
    [{ query: 'x'.repeat(2001) }, expect.any(String)],
  ])('refuses %j', async (chart, msg) => {
    expect(await share(chart)).toMatchObject({ status: 400, msg })
  })

  it('is not made by a host without an active machine, nor without end', async () => {
    const { key } = await createKeyFor(server.postgres, { role: 'host' })
    expect((await share({ query: 'gpu_name=L4', last: 3600 }, key)).status).toBe(403)
    const { rows } = await server.postgres.query<{ id: number }>(
      'SELECT account_id AS id FROM api_keys WHERE prefix = $1',
      [server.adminKey.split('_')[1]],
    )
    await server.postgres.query(
      `INSERT INTO shared_charts (account_id, key_id, token_hash, chart)
       SELECT account_id, id, sha256(n::text::bytea), '{"query": "gpu_name=L4", "metric": "price"}'
       FROM api_keys, generate_series(1, 99) n WHERE account_id = $1 AND id = (SELECT max(id) FROM api_keys WHERE account_id = $1)`,
      [rows[0]?.id],
    )
    // Two concurrent requests are counted one after the other.
    const made = await Promise.all(
      Array.from({ length: 5 }, () => share({ query: 'gpu_name=L4', last: 3600 })),
    )
    expect(made.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400])
  })

  it('has a page with its title, the only one that other sites may frame', async () => {
    await server.postgres.query('DELETE FROM shared_charts')
    const { token } = await share({ query: 'gpu_name=RTX+4090,L4&num_gpus=8', last: 86_400 })
    const page = (url: string) =>
      server.app.inject({ url, headers: { accept: 'text/html', host: 'elsewhere.example' } })
    const shown = await page(`/shared?chart=${token}`)
    expect(shown.statusCode).toBe(200)
    expect(shown.body).toContain('<meta property="og:title" content="Price of RTX 4090, L4" />')
    expect(shown.body).toContain('content="GPU rental market: verified, 8× machines"')
    expect(shown.body).toContain(`content="http://localhost/api/v0/shared/${token}/picture"`)
    const gone = await page('/shared?chart=%22%3E%3Cscript%3E')
    expect([gone.statusCode, gone.body.includes('og:')]).toEqual([404, false])
    for (const { headers } of [shown, gone]) {
      expect(headers['content-security-policy']).toMatch(/frame-ancestors \*/)
      expect(headers['content-security-policy']).not.toMatch(/unsafe/)
      expect(headers['x-frame-options']).toBeUndefined()
    }
    expect((await page('/shared/?chart=x')).headers.location).toBe('../shared?chart=x')
    for (const url of ['/', '/charts', '/docs', '/sql', '/nothing', `/api/v0/shared/${token}`]) {
      const { headers } = await page(url)
      expect([headers['x-frame-options'], headers['content-security-policy']], url).toEqual([
        'DENY',
        expect.stringContaining("frame-ancestors 'none'"),
      ])
    }
  })

  it('has a picture of its own, for the previews of links, painted once for a revision', async () => {
    await server.postgres.query('DELETE FROM shared_charts')
    const { id, token } = await share({ query: question })
    const picture = (of = token) => server.app.inject({ url: `/api/v0/shared/${of}/picture` })
    const [first, ...others] = await Promise.all(Array.from({ length: 30 }, () => picture()))
    expect([first?.statusCode, first?.headers['content-type']]).toEqual([200, 'image/png'])
    expect(first?.headers['cross-origin-resource-policy']).toBe('cross-origin')
    const png = first?.rawPayload ?? Buffer.alloc(0)
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630])
    expect(png.length).toBeLessThan(200_000)
    // More than may wait for the painter, if each were painted.
    expect(others.every(({ rawPayload }) => rawPayload.equals(png))).toBe(true)
    mkdirSync('test-artefacts', { recursive: true })
    writeFileSync('test-artefacts/shared-picture.png', png)
    await server.send('DELETE', `/api/v0/shares/${id}`, server.adminKey)
    const [gone, never] = [await picture(), await picture('0'.repeat(64))]
    expect([gone.statusCode, gone.body]).toEqual([404, never.body])
  })
})

it.each([
  ['the start of a bucket', 0],
  ['the middle of a bucket', 100],
  ['the last second of a bucket', 299],
])('a range that ends where it starts has the bucket in which it is: %s', async (_, later) => {
  const at = (slots[1] ?? 0) + later
  const query = `gpu_name=RTX_4090&verified=all&start=${at}&end=${at}&step=300`
  const { body } = await server.get(`${path}?${query}`, server.adminKey)
  expect(body).toMatchObject({ gpus: { 'RTX 4090': { supply_demand: { timestamps: [slots[1]] } } } })
})

it('buckets of a week begin on Thursday, at multiples of the step', async () => {
  const query = `gpu_name=RTX_4090&verified=all&${range}&step=604800`
  const { body } = await server.get(`${path}?${query}`, server.adminKey)
  const { gpus } = body as { gpus: Record<string, { supply_demand: { timestamps: number[] } }> }
  const [start = 0] = gpus['RTX 4090']?.supply_demand.timestamps ?? []
  expect([start % 604_800, new Date(start * 1000).getUTCDay()]).toEqual([0, 4])
})
