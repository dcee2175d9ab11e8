import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { createKeyFor } from '../../src/companion/keys/key-for-role.ts'
import { sealedFor } from '../../src/companion/outbox/write.ts'
import { openWakeUp } from '../../workers/queues.ts'
import { freshDatabases } from '../database.ts'
import { freePort, startRedis } from '../debian.ts'
import { type Away, openGate } from '../gate.ts'
import { environmentOf, exited, spawnRackrate } from '../process.ts'
import { startReceiver } from '../receiver.ts'
import { startSmtp } from '../smtp.ts'
import { openStandIn, rigsAt } from '../stand-in.ts'

export const dependencies = ['redis', 'postgres', 'clickhouse', 'smtp', 'webhook', 'source'] as const
export type Dependency = (typeof dependencies)[number]

export interface Stop {
  /** The server that is away. */
  what: Dependency
  how: Away
  /** The moment at which it goes away, compared with the signal. */
  when: 'before' | 'during'
}

type Gates = Record<Dependency, Awaited<ReturnType<typeof openGate>>>
type Site = Awaited<ReturnType<typeof openStopSite>>

/** All servers that a process of the site works with, on databases of its own. */
export async function openStopSite() {
  const databases = await freshDatabases()
  const redis = await startRedis(await freePort())
  const standIn = await openStandIn()
  standIn.rigs = rigsAt(4)
  const [smtp, receiver] = [await startSmtp(), await startReceiver()]
  const { key } = await createKeyFor(databases.postgres, { role: 'admin' })
  const gates = await openGates({
    redis: redis.url,
    postgres: databases.queues.databaseUrl,
    clickhouse: databases.clickhouseAddress.url,
    smtp: smtp.url,
    webhook: receiver.url,
    source: standIn.url,
  })
  return {
    databases,
    redis,
    key,
    gates,
    async close() {
      for (const gate of Object.values(gates)) gate.close()
      await databases.close()
      await redis.stop()
      standIn.close()
      receiver.close()
      await smtp.close()
    },
  }
}

async function openGates(targets: Record<Dependency, string>): Promise<Gates> {
  const gates = await Promise.all(dependencies.map(async (name) => [name, await openGate(targets[name])]))
  return Object.fromEntries(gates)
}

/**
 * Starts `rackrate up`, gives it work for the server, sends SIGINT, and takes the server away before or after the signal. Resolves when the process
 * has ended; a process that does not end is killed when the test ends.
 */
export async function stopWhileAway(site: Site, { what, how, when }: Stop) {
  const { gates } = site
  const dir = mkdtempSync(join(tmpdir(), 'rackrate-stop-'))
  const { clickhouseAddress } = site.databases
  const queues = { databaseUrl: gates.postgres.url, redisUrl: gates.redis.url }
  // A source is requested once a slot, and later after a failure.
  await site.databases.postgres.query('UPDATE collector SET asked_slot = NULL, ask_after = 0')
  await site.databases.postgres.query('DELETE FROM snapshots')
  if (what === 'source' && when === 'before') gates.source.shut(how)
  const up = spawnRackrate(['up', '--no-demo', '--json', '--source', `exporter=${gates.source.url}`], {
    ...environmentOf(queues, { ...clickhouseAddress, url: gates.clickhouse.url }),
    RACKRATE_DATA_DIR: dir,
    PORT: '0',
    SMTP_URL: gates.smtp.url,
    WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
    SHUTDOWN_TIMEOUT: '6',
    LOG_LEVEL: 'info',
  })
  try {
    const { url } = await vi.waitFor(
      () => {
        const [line] = /^\{"url".*$/m.exec(up.output()) ?? []
        if (line === undefined) throw new Error(`not up: ${up.output()}`)
        return JSON.parse(line) as { url: string }
      },
      { timeout: 90_000, interval: 50 },
    )
    const gate = gates[what]
    if (when === 'before') gate.shut(how)
    await giveWork(site, what, { url, hook: gates.webhook.url })
    if (when === 'before' && how === 'silent' && what !== 'webhook')
      await vi.waitFor(() => gate.connections() > 0 || Promise.reject(), { timeout: 60_000, interval: 50 })
    up.kill('SIGINT')
    const isStopping = () =>
      up.output().includes('SIGINT: stopping') || Promise.reject(new Error(up.output()))
    await vi.waitFor(isStopping, { timeout: 60_000, interval: 50 })
    if (when === 'during') gate.shut(how)
    return { code: await exited(up), output: up.output() }
  } finally {
    up.kill('SIGKILL')
    for (const gate of Object.values(gates)) await gate.open()
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Makes the process use a server that it uses seldom. */
async function giveWork(
  { databases, redis, key }: Site,
  what: Dependency,
  { url, hook }: { url: string; hook: string },
): Promise<void> {
  const { postgres, vault, queues } = databases
  if (what === 'smtp') {
    const sealed = vault.seal(JSON.stringify({ subject: 'stop', text: 'stop' }), sealedFor)
    await postgres.query('outbox/write', ['email', 'someone@example.com', sealed, 600, null, null])
    const mail = await openWakeUp(postgres, 'mail', { ...queues, redisUrl: redis.url })
    mail.wake()
    await mail.close()
  }
  if (what === 'webhook') {
    const send = (path: string, body: object) =>
      fetch(`${url}/api/v0/alerts${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const condition = { kind: 'data_age', minutes: 10 }
    const written = await send('', { name: 'stop', condition, webhook_url: `${hook}/hook` })
    const { rule } = (await written.json()) as { rule: { id: number } }
    // The request is not awaited: its answer comes only after the receiver has answered.
    send(`/${rule.id}/test`, {}).catch(() => {})
  }
}
