import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../cli/config.ts'
import { requireClickHouse, requirePostgres } from '../../cli/require-databases.ts'
import { configuredSources } from '../../cli/site-sources.ts'
import { ownDirectory } from '../../embedded/own-directory.ts'
import { openPostgres } from '../../platform/stores/postgres.ts'
import { freePort } from '../debian.ts'

const secret = 'very-secret'

describe('the message about a wrong value', () => {
  it.each<[setting: string, value: string, others?: Record<string, string>]>([
    ['PORT', 'eighty'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['WORKER_PORT', '0'],
    ['WORKER_PORT', '80.5'],
    ['DATABASE_URL', 'localhost:5432'],
    ['DATABASE_URL', `mysql://user:${secret}@host/rackrate`],
    ['CLICKHOUSE_URL', 'host:8123'],
    ['CLICKHOUSE_URL', `clickhouse://user:${secret}@host:9000`],
    ['CLICKHOUSE_DATABASE', 'rack-rate'],
    ['CLICKHOUSE_DATABASE', '1; DROP DATABASE x'],
    ['CLICKHOUSE_CLUSTER', 'a b'],
    ['CLICKHOUSE_CLUSTER', 'cluster'],
    ['CLICKHOUSE_DISK_RESERVE', '1GB'],
    ['CLICKHOUSE_DISK_RESERVE', '0M'],
    ['REDIS_URL', 'localhost:6379'],
    ['REDIS_URL', `http://:${secret}@host:6379`],
    ['ENCRYPTION_KEY', `${secret}`],
    ['ENCRYPTION_KEY_PREVIOUS', '00'],
    ['PUBLIC_URL', 'api.example.com'],
    ['PUBLIC_URL', 'ftp://api.example.com'],
    ['SMTP_URL', 'mail.example.com:587'],
    ['SMTP_URL', `https://user:${secret}@mail.example.com`],
    ['MAIL_FROM', 'nonsense'],
    ['MAIL_FROM', 'Rackrate <rackrate>'],
    ['MAIL_FROM', 'a@example.com, b@example.com'],
    ['SMS_URL', 'sms.example.com'],
    ['CONTROLLER_URL', 'controller'],
    ['AUTOPILOT_COMMAND', '/opt/set-price {machine}'],
    ['AUTOPILOT_COMMAND', '["set-price"]'],
    ['RACKRATE_URL', 'api.example.com'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317'],
    ['SNAPSHOT_INTERVAL', '5m'],
    ['SNAPSHOT_INTERVAL', '30'],
    ['SNAPSHOT_INTERVAL', '420'],
    ['SNAPSHOT_INTERVAL', '90000'],
    ['SOURCE_CALLS_PER_MINUTE', '0'],
    ['SOURCE_CALLS_PER_MINUTE', '100'],
    ['SOURCE_CONTACT', 'me at example'],
    ['OBSERVATION_RETENTION', '7d'],
    ['OBSERVATION_RETENTION', '400'],
    ['OBSERVATION_RETENTION', '1y'],
    ['SPOOL_RETENTION', '0d'],
    ['SPOOL_RETENTION', '2'],
    ['SPOOL_RETENTION', '48h'],
    ['RATE_LIMIT', '0'],
    ['ADDRESS_RATE_LIMIT', 'none'],
    ['PARALLEL_REQUESTS', '1.5'],
    ['MARKET_METRICS', 'public'],
    ['OPEN_DATA', 'yes'],
    ['OPEN_DATA_RETENTION', '0d'],
    ['SHUTDOWN_TIMEOUT', '15s'],
    ['SHUTDOWN_TIMEOUT', '0'],
    ['TRUST_PROXY', '10.0.0.0/8'],
    ['LOG_LEVEL', 'verbose'],
    ['ENCRYPTION_KEY_FILE', '/nonexistent/key'],
  ])('names %s=%s', (setting, value) => {
    expect(() => readConfig({ [setting]: value }, () => {})).toThrow(setting)
    expect(() => readConfig({ [setting]: value }, () => {})).not.toThrow(secret)
  })

  it.each([
    ['exporter', 'SOURCES'],
    ['carrier=https://example.com', 'SOURCES'],
    ['Asia:vast=https://example.com', 'SOURCES'],
  ])('names SOURCES=%s', (value) => {
    expect(() => configuredSources(readConfig({ SOURCES: value }))).toThrow(/source/i)
  })
})

describe('a server that cannot be used', () => {
  let closed: number
  let answer: [status: number, type: string, text: string]
  const web = createServer((_request, response) => {
    const [status, type, text] = answer
    response.writeHead(status, { 'content-type': type }).end(text)
  })
  const foreign = createSocketServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  beforeAll(async () => {
    closed = await freePort()
    for (const server of [web, foreign])
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => {
    web.close()
    foreign.close()
  })
  const portOf = (server: typeof foreign | typeof web) => (server.address() as AddressInfo).port

  it.each<[name: string, host: () => string]>([
    ['that listens nowhere', () => `127.0.0.1:${closed}`],
    ['whose name is unknown', () => 'nothing.invalid'],
    ['that is no PostgreSQL', () => `127.0.0.1:${portOf(foreign)}`],
  ])('PostgreSQL %s is named by DATABASE_URL', async (_name, host) => {
    const url = `postgres://user:${secret}@${host()}/rackrate`
    const postgres = openPostgres(url, () => {})
    const error: Error = await requirePostgres(postgres, url).then(
      () => expect.unreachable(),
      (reason) => reason,
    )
    await postgres.end()
    expect(error.message).toMatch(`DATABASE_URL: PostgreSQL at ${host()} cannot be used: `)
    expect(error.message).not.toContain(secret)
  })

  it.each<[name: string, host: () => string, answer?: typeof answer]>([
    ['that listens nowhere', () => `127.0.0.1:${closed}`],
    ['whose name is unknown', () => 'nothing.invalid:8123'],
    ['that is a web page', () => `127.0.0.1:${portOf(web)}`, [200, 'text/html', '<html>Welcome</html>']],
    ['that answers 404', () => `127.0.0.1:${portOf(web)}`, [404, 'text/html', '<html>Not found</html>']],
    ['that is another API', () => `127.0.0.1:${portOf(web)}`, [200, 'application/json', '{"ok":true}\n']],
    ['that answers nothing', () => `127.0.0.1:${portOf(web)}`, [200, 'text/plain', '']],
    ['that redirects', () => `127.0.0.1:${portOf(web)}`, [302, 'text/plain', 'elsewhere']],
  ])('ClickHouse %s is named by CLICKHOUSE_URL', async (_name, host, given) => {
    if (given) answer = given
    const address = { url: `http://${host()}`, username: 'default', password: secret, database: 'rackrate' }
    const error: Error = await requireClickHouse(address).then(
      () => expect.unreachable(),
      (reason) => reason,
    )
    expect(error.message).toMatch(`CLICKHOUSE_URL: ClickHouse at http://${host()} cannot be used: `)
    expect(error.message).not.toContain(secret)
    expect(error.message).not.toContain('\n')
  })

  it('ClickHouse that refuses the account is named by the settings of the account', async () => {
    answer = [
      403,
      'text/plain',
      'Code: 516. DB::Exception: default: Authentication failed: wrong. (AUTHENTICATION_FAILED)',
    ]
    const url = `http://127.0.0.1:${portOf(web)}`
    const address = { url, username: 'reader', password: secret, database: 'rackrate' }
    await expect(requireClickHouse(address)).rejects.toThrow(
      /^CLICKHOUSE_USER \(reader\) or CLICKHOUSE_PASSWORD: ClickHouse at http:/,
    )
  })
})

it.each(['a file', 'a folder below a file'])(
  'a data directory that is %s is named by RACKRATE_DATA_DIR',
  (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'rackrate-settings-'))
    const file = join(folder, 'file')
    writeFileSync(file, '')
    const [path = '', reason = ''] =
      {
        'a file': [file, 'it is a file'],
        'a folder below a file': [join(file, 'data'), 'not a directory'],
      }[name] ?? []
    expect(() => ownDirectory(path)).toThrow(
      new RegExp(`^RACKRATE_DATA_DIR: ${path} cannot be the data directory: .*${reason}`),
    )
    rmSync(folder, { recursive: true })
  },
)
