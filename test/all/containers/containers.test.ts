import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readComposeFile } from '../../compose-file.ts'
import { needs } from '../../needs.ts'
import { buildImage, docker, findCompose, findImages } from './docker.ts'
import { image, openSite, type Site, underRequests } from './site.ts'

// The image and the compose file as an operator runs them. The tests depend on each other, in their order.

const compose = await findCompose()
const hasEngine = needs(
  compose !== undefined && (await docker(['version']).then(Boolean, () => false)),
  'there is no Docker engine with Compose, so the image and the compose file do not run',
)
const images = hasEngine ? await findImages() : { found: {}, missing: [] }
const hasImages = needs(
  images.missing.length === 0,
  `no registry answers, and there are no stand-ins for ${images.missing.join(', ')} (tools/stand-in-images)`,
)
if (hasEngine) console.log('images under test:', images.found)

interface History {
  gpus: Record<string, { supply_demand: { total: number[] } }>
}

/** The result of each kill. */
const table: Record<string, object> = {}
const note = (service: string, count: object) => {
  table[service] = count
  console.log(`${service} was killed:`, JSON.stringify(count))
}
let site: Site
let key: string
/** The question about a slot with a machine. */
let path: string
const inPostgres = (command: string) => site.call('exec', '-T', 'postgres', 'sh', '-c', command)
const variables = (settings: Record<string, string>) =>
  Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`])

/** The output and the exit code of a container with these settings only. */
const said = (...args: string[]) =>
  docker(['run', '--rm', ...args]).then(
    (output) => `it ended well: ${output}`,
    (error: Error) => error.message,
  )

describe.skipIf(!compose || !hasEngine || !hasImages)('the containers', () => {
  beforeAll(async () => {
    await buildImage(image)
    site = await openSite(compose ?? [])
    await site.call('up', '--detach', 'api', 'worker', 'mailpit')
    await site.untilHealthy('postgres', 'clickhouse', 'valkey', 'api', 'worker')
  })
  afterAll(async () => {
    console.table(table)
    await site?.close()
    if (!site) return
    const filter = ['--all', '--quiet', '--filter', `label=com.docker.compose.project=${site.project}`]
    expect(await docker(['ps', ...filter])).toBe('')
  })

  it('answer a question with a key that was made in them', async () => {
    const { key: made } = JSON.parse(
      await site.inside('worker', 'key', 'create', '--role', 'admin', '--json'),
    )
    key = made
    const before = await newestSlot()
    await site.inside('worker', 'seed')
    // The slot of the seeded state may have been captured already.
    await vi.waitFor(async () => expect(await newestSlot()).toBeGreaterThan(before), { timeout: 300_000 })
    await vi.waitFor(
      async () => {
        const slot = await newestSlot()
        path = `/api/v0/metrics/gpu/history?gpu_name=all&verified=all&step=60&start=${slot}&end=${slot + 60}`
        expect(await totals()).toEqual([[1]])
      },
      { timeout: 300_000, interval: 1000 },
    )
    const refused = await fetch(`http://127.0.0.1:${site.ports.api}${path}`)
    expect(refused.status).toBe(401)
  })

  it('say what is missing or wrong, and end', async () => {
    const secret = (name: string) => readFileSync(join(site.folder, 'secrets', name), 'utf8')
    const right = {
      DATABASE_URL: secret('database_url'),
      REDIS_URL: secret('redis_url'),
      ENCRYPTION_KEY: secret('encryption_key'),
      CLICKHOUSE_URL: 'http://clickhouse:8123',
      CLICKHOUSE_USER: 'rackrate',
      CLICKHOUSE_PASSWORD: secret('clickhouse_password'),
    }
    const network = `${site.project}_default`
    const withSettings = (settings: Partial<typeof right>, on = network, command = 'serve') =>
      said('--network', on, ...variables({ ...right, ...settings }), image, command)
    const other = (url: string) => url.replace(/:[^:@]*@/, ':wrong@')
    await inPostgres('psql -U rackrate -c "CREATE DATABASE newer"')
    await inPostgres(
      `psql -U rackrate -d newer -c "CREATE TABLE migrations (name, hash) AS SELECT '999', '0'"`,
    )
    const newer = right.DATABASE_URL.replace(/rackrate$/, 'newer')
    const api = `container:${await site.containerOf('api')}`

    expect(await said(image)).toContain('DATABASE_URL and CLICKHOUSE_URL are not set')
    const file = { CLICKHOUSE_URL: right.CLICKHOUSE_URL, DATABASE_URL_FILE: '/run/secrets/none' }
    expect(await said(...variables(file), image)).toContain(
      'DATABASE_URL_FILE: cannot read /run/secrets/none',
    )
    expect(await said('--memory', '64m', image)).toContain('may use 64 MB of memory')
    const refused = 'password authentication failed'
    expect(await withSettings({ DATABASE_URL: other(right.DATABASE_URL) })).toContain(refused)
    expect(await withSettings({ CLICKHOUSE_PASSWORD: 'wrong' })).toContain('Authentication failed')
    expect(await withSettings({ REDIS_URL: other(right.REDIS_URL) }, network, 'worker')).toContain(
      'WRONGPASS',
    )
    expect(await withSettings({ ENCRYPTION_KEY: 'ab'.repeat(32) })).toContain('were encrypted')
    expect(await withSettings({ DATABASE_URL: newer })).toContain('was made by a newer release')
    expect(await withSettings({}, api)).toContain('EADDRINUSE')
    const taken = await said('--publish', `127.0.0.1:${site.ports.api}:8080`, image)
    expect(taken).toContain('port is already allocated')
  })

  it('do not start PostgreSQL on data of another version', async () => {
    const postgres = readComposeFile().services.postgres?.image ?? ''
    const folder = '/var/lib/postgresql/18/docker'
    const older = `install -d -o postgres -m 700 ${folder} && cd ${folder} && touch postgresql.conf && echo 9.6 > PG_VERSION`
    const start = `${older} && exec docker-entrypoint.sh postgres`
    expect(await said('--user', '0', '--entrypoint', 'sh', postgres, '-c', start)).toContain('incompatible')
  })

  it.each(['worker', 'valkey', 'api', 'clickhouse', 'postgres'])(
    'come back when %s is killed',
    async (service) => {
      const url = `http://127.0.0.1:${site.ports.api}${path}`
      const count = await underRequests({ url, key, perSecond: 4 }, async () => {
        await site.killHard(service)
        await site.untilHealthy(service, 'api', 'worker')
      })
      note(service, count)
      if (['worker', 'valkey'].includes(service)) expect(count.failed).toBe(0)
    },
  )

  it('lose no request when one of two APIs behind the proxy is killed', async () => {
    await site.call('up', '--detach', 'proxy', 'worker-1')
    await site.untilHealthy('api-1', 'api-2', 'worker-1', 'proxy')
    const made = await site.inside('worker-1', 'key', 'create', '--role', 'admin', '--json')
    const url = `http://127.0.0.1:${site.ports.proxy}${path}`
    const count = await underRequests(
      { url, key: JSON.parse(made).key, perSecond: 20 },
      async () => {
        await site.killHard('api-1')
        await site.untilHealthy('api-1')
      },
      40,
    )
    note('api-1 of two', count)
    expect(count.failed).toBe(0)
  })

  it('change their encryption key as documented', async () => {
    const file = join(site.folder, 'secrets/encryption_key')
    const [former, next] = [readFileSync(file, 'utf8'), 'ab'.repeat(32)]
    const services = ['api', 'worker', 'api-1', 'worker-1']
    await site.call('stop', 'api-2', 'proxy')
    const restart = async (present: string, previous?: string) => {
      writeFileSync(file, present)
      site.setEnvironment(previous ? { ENCRYPTION_KEY_PREVIOUS: previous } : {})
      await site.call('up', '--detach', '--no-deps', ...(previous ? [] : ['--force-recreate']), ...services)
      await site.untilHealthy(...services)
    }
    await restart(former, next)
    await restart(next, former)
    for (const worker of ['worker', 'worker-1']) {
      await site.inside(worker, 'vault', 'rotate')
      expect(await site.inside(worker, 'vault', 'rotate')).toContain('Encrypted 0 values')
    }
    await restart(next)
  })

  it('give back from a backup what was dropped', async () => {
    const dump = '/tmp/rackrate.dump'
    await site.rackrate('worker', 'backup', 'of-the-test')
    await inPostgres(`pg_dump -U rackrate --format custom rackrate > ${dump}`)
    const before = await history()
    await site.call(
      'exec',
      '-T',
      'clickhouse',
      'sh',
      '-c',
      'clickhouse-client --user rackrate --password "$(cat /run/secrets/clickhouse_password)" --query "DROP DATABASE IF EXISTS rackrate SYNC SETTINGS max_table_size_to_drop = 0, max_partition_size_to_drop = 0"',
    )
    await site.rackrate('worker', 'restore', 'of-the-test')
    await site.inside('worker', 'check')

    await site.call('stop', 'api', 'worker')
    await inPostgres('dropdb -U rackrate --force rackrate && createdb -U rackrate rackrate')
    await inPostgres(`pg_restore -U rackrate --dbname rackrate ${dump}`)
    await site.rackrate('worker', 'reconcile')
    await site.rackrate('worker', 'check')
    await site.call('start', 'api', 'worker')
    await site.untilHealthy('api', 'worker')
    await vi.waitFor(async () => expect(await history()).toEqual(before), { timeout: 60_000 })
  })
})

async function history(): Promise<History> {
  const answer = await fetch(`http://127.0.0.1:${site.ports.api}${path}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  return (await answer.json()) as History
}
const totals = async () => Object.values((await history()).gpus).map((gpu) => gpu.supply_demand.total)
async function newestSlot(): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${site.ports.api}/readyz?exclude=slots`)
  return ((await answer.json()) as { newest_slot: number }).newest_slot
}
