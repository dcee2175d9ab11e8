import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, vi } from 'vitest'
import { readComposeFile } from '../../compose-file.ts'
import { freePort } from '../../debian.ts'
import { docker, repository } from './docker.ts'

const run = promisify(execFile)
export const image = 'rackrate:test'

/** Services that are left out: replicas and their Keepers, which stand-ins cannot replace, and the monitoring. */
const leftOut = /^(keeper-|clickhouse-\d|clickhouse-lb|prometheus|grafana)/
/** The cluster's processes work on a database of their own in the one ClickHouse. */
const inOneClickHouse = {
  CLICKHOUSE_URL: 'http://clickhouse:8123',
  CLICKHOUSE_CLUSTER: '',
  CLICKHOUSE_DATABASE: 'rackrate_cluster',
}

/** A short interval, so that no test waits five minutes for a slot. */
const often = { SNAPSHOT_INTERVAL: '60' }

/** Compose 1.29 gives up after a minute, which a busy machine may take. */
const patience = { COMPOSE_HTTP_TIMEOUT: '600' }

/** The site of docker-compose.yml under a name, ports and secrets of its own. */
export async function openSite(compose: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'rackrate-site-'))
  const project = `rackrate-test-${process.pid}`
  const ports = { api: await freePort(), proxy: await freePort() }
  mkdirSync(join(folder, 'deploy'))
  cpSync(join(repository, 'deploy/make-secrets.sh'), join(folder, 'deploy/make-secrets.sh'))
  await run('sh', [join(folder, 'deploy/make-secrets.sh')])
  const file = join(folder, 'docker-compose.json')
  writeFileSync(file, JSON.stringify(adapted(folder, ports)))

  let environment: Record<string, string> = {}
  const [program = '', ...first] = compose
  const call = async (...args: string[]) => {
    const options = ['--project-name', project, '--project-directory', repository, '--file', file]
    const { stdout } = await run(program, [...first, ...options, ...args], {
      env: { ...process.env, ...patience, ...environment },
      maxBuffer: 2 ** 26,
      timeout: 600_000,
    }).catch((error: Error & { stdout?: string; stderr?: string }) => {
      throw new Error(`compose ${args.join(' ')}: ${error.stdout}${error.stderr}`)
    })
    return stdout.trim()
  }
  // Read from Docker itself: Compose takes a second to start, and this runs some hundred times.
  const containers = async (): Promise<Map<string, ListedContainer>> => {
    const filters = [`project=${project}`, 'oneoff=False'].flatMap((label) => [
      '--filter',
      `label=com.docker.compose.${label}`,
    ])
    const columns = ['{{.Label "com.docker.compose.service"}}', '{{.ID}}', '{{.Status}}'].join('\t')
    const lines = (await docker(['ps', '--all', ...filters, '--format', columns])).split('\n')
    return new Map(
      lines.map((line) => {
        const [service = '', id = '', status = ''] = line.split('\t')
        return [service, { id, status }]
      }),
    )
  }
  const containerOf = async (service: string) => (await containers()).get(service)?.id ?? ''
  const untilHealthy = (...services: string[]) =>
    vi.waitFor(
      async () => {
        const all = await containers()
        for (const service of services)
          expect(all.get(service)?.status, service).toMatch(/^Up (?!.*\((health: starting|unhealthy)\))/)
      },
      { timeout: 600_000, interval: 250 },
    )

  return {
    folder,
    project,
    ports,
    call,
    containerOf,
    untilHealthy,
    /** Runs a command of rackrate in the container of a service. */
    inside: async (service: string, ...args: string[]) =>
      docker(['exec', await containerOf(service), 'node', 'dist/cli/rackrate.js', ...args]),
    /** Runs a command of rackrate in a container of its own, also when no other one runs. */
    rackrate: (service: string, ...args: string[]) =>
      call('run', '--rm', '--no-deps', ...(compose.length > 1 ? ['--no-TTY'] : ['-T']), service, ...args),
    /** Sets variables of the shell that Compose runs in. */
    setEnvironment(variables: Record<string, string>) {
      environment = variables
    },
    /** Kills the process of a service as the kernel would, so that Docker starts it again. */
    async killHard(service: string) {
      const pid = await docker(['inspect', '--format', '{{.State.Pid}}', await containerOf(service)])
      const command = ['--entrypoint', 'sh', image, '-c', `kill -9 ${pid}`]
      await docker(['run', '--rm', '--pid', 'host', '--user', '0', ...command])
    },
    async close() {
      await call('down', '--volumes', '--timeout', '10')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type Site = Awaited<ReturnType<typeof openSite>>

interface ListedContainer {
  id: string
  /** As `docker ps` shows it: `Up 3 seconds (healthy)`. */
  status: string
}

function adapted(folder: string, ports: { api: number; proxy: number }) {
  const { name: _, ...file } = readComposeFile()
  const kept = Object.entries(file.services).filter(([name]) => !leftOut.test(name))
  const services = kept.map(([name, { build, profiles, ports: given, ...service }]) => {
    const port = { api: ports.api, proxy: ports.proxy }[name]
    const depends = Object.entries(service.depends_on ?? {}).filter(([other]) => !leftOut.test(other))
    return [
      name,
      {
        ...service,
        image: build ? image : service.image,
        depends_on: Object.fromEntries(depends),
        ...(port && { ports: [`127.0.0.1:${port}:8080`] }),
        ...(build && {
          environment: { ...service.environment, ...(profiles && inOneClickHouse), ...often },
        }),
      },
    ]
  })
  const secrets = Object.entries(file.secrets).map(([name, secret]) => [
    name,
    { file: join(folder, secret.file) },
  ])
  return {
    ...file,
    services: Object.fromEntries(services),
    secrets: Object.fromEntries(secrets),
  }
}

/** Sends requests until `work` has ended and `inRow` answers in a row are right. Returns the number of failed requests. */
export async function underRequests(
  { url, key, perSecond }: { url: string; key: string; perSecond: number },
  work: () => Promise<unknown>,
  inRow = 8,
) {
  const count = { sent: 0, failed: 0, right: 0 }
  const failedAt: number[] = []
  const pending = new Set<Promise<void>>()
  const ask = async () => {
    count.sent += 1
    const askedAt = performance.now()
    const isRight = await fetch(url, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(20_000),
    }).then(
      async (answer) => (await answer.text()).length > 0 && answer.ok,
      () => false,
    )
    count.failed += isRight ? 0 : 1
    if (!isRight) failedAt.push(askedAt)
    count.right = isRight ? count.right + 1 : 0
  }
  const began = performance.now()
  let isDone = false
  const working = work().finally(() => {
    isDone = true
    count.right = 0
  })
  while (!isDone || count.right < inRow) {
    const one = ask().finally(() => pending.delete(one))
    pending.add(one)
    await pause(1000 / perSecond)
    if (performance.now() - began > 180_000) throw new Error(`no answers: ${JSON.stringify(count)}`)
  }
  await working
  await Promise.all(pending)
  const seconds = (milliseconds: number) => Math.round(milliseconds / 100) / 10
  return {
    failed: count.failed,
    sent: count.sent,
    // The time from the first failed request to the last one.
    'failed for (s)': failedAt.length > 0 ? seconds(Math.max(...failedAt) - Math.min(...failedAt)) : 0,
    'in all (s)': seconds(performance.now() - began),
  }
}
