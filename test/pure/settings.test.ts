import { describe, expect, it } from 'vitest'
import { readConfig } from '../../cli/config.ts'

const warnings: string[] = []
const read = (env: Record<string, string>) => {
  warnings.length = 0
  return () => readConfig(env, (text) => warnings.push(text))
}

describe('the settings', () => {
  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['CLICKHOUSE_URI', 'CLICKHOUSE_URL'],
    ['CLICKHOUSE_PASWORD_FILE', 'CLICKHOUSE_PASSWORD_FILE'],
    ['SNAPSHOT_INTERVALL', 'SNAPSHOT_INTERVAL'],
    ['RACKRATE_DATADIR', 'RACKRATE_DATA_DIR'],
    ['RACKRATE_DATABASE_URL', 'DATABASE_URL'],
    ['RACKRATE_PORT', 'PORT'],
  ])('refuse %s and suggest %s', (name, nearest) => {
    expect(read({ [name]: 'x' })).toThrow(`${name} is not a setting of rackrate. Did you mean ${nearest}?`)
  })

  it('warn about other variables with the prefix', () => {
    expect(read({ RACKRATE_FOO: '1' })).not.toThrow()
    expect(warnings).toEqual(['RACKRATE_FOO is not a setting of rackrate. Did you mean RACKRATE_URL?'])
  })

  it('ignore the variables of other programs', () => {
    const foreign = [
      'HOME',
      'HOSTNAME',
      'POST',
      'TERM',
      'CLICKHOUSE_DB',
      'CLICKHOUSE_PORT',
      'PGHOST',
      'AWS_URL',
    ]
    const links = { RACKRATE_SERVICE_HOST: '10.0.0.7', RACKRATE_PORT: 'tcp://10.0.0.7:8080' }
    const more = { RACKRATE_PORT_8080_TCP_ADDR: '10.0.0.7', OTEL_EXPORTER_OTLP_HEADERS: 'x', DATABSE_URL: '' }
    expect(
      read({ ...Object.fromEntries(foreign.map((name) => [name, 'x'])), ...links, ...more }),
    ).not.toThrow()
    expect(read({ REDIS_URI: 'x', REDIS_URL: 'redis://host:6379' })).not.toThrow()
    expect(warnings).toEqual([])
  })

  it('give one key three quarters of the requests of its account', () => {
    const { keyRateLimit, keyParallelRequests } = readConfig({ RATE_LIMIT: '1000', PARALLEL_REQUESTS: '10' })
    expect([keyRateLimit, keyParallelRequests]).toEqual([750, 8])
    expect(readConfig({ RATE_LIMIT: '1000', KEY_RATE_LIMIT: '900' }).keyRateLimit).toBe(900)
  })

  it('list every value that is not valid', () => {
    expect(read({ PORT: 'x', REDIS_URL: 'http://host' })).toThrow(
      /mistakes:\n {2}PORT: must be a port number\n {2}REDIS_URL: must be a URL such as redis:/,
    )
  })
})
