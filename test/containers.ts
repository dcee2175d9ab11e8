import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { ClickHouseContainer } from '@testcontainers/clickhouse'
import { PostgreSqlContainer } from '@testcontainers/postgresql'
import { RedisContainer } from '@testcontainers/redis'
import { getContainerRuntimeClient } from 'testcontainers'

/** An engine in its own container, of the image in docker-compose.yml. The URL contains credentials. */
export interface Container {
  image: string
  url: string
  stop(): Promise<unknown>
}

/** True if there is a Docker engine. Without one it takes a millisecond: only its socket is checked. */
export const hasDocker = (): Promise<boolean> =>
  getContainerRuntimeClient().then(
    () => true,
    () => false,
  )

/**
 * The check runs without a shell, unlike the check of testcontainers. There, the shell is killed after a second on a busy machine, and its child
 * becomes a child of PostgreSQL. The child then ends by SIGPIPE ("signal 13"), and PostgreSQL takes this for a crash of one of its processes.
 */
const isReady = {
  test: ['CMD', 'pg_isready', '--host=localhost', '--username=test'] satisfies ['CMD', ...string[]],
  // Each check starts a process in the container, which costs more than what it asks.
  interval: 2000,
  timeout: 30_000,
  retries: 60,
}

export const postgresContainer = () =>
  started('postgres', async (image, labels) => {
    const container = await new PostgreSqlContainer(image)
      .withCommand(['postgres', '-c', 'max_connections=200', '-c', 'fsync=off'])
      .withHealthCheck(isReady)
      .withLabels(labels)
      .start()
    return { url: container.getConnectionUri(), stop: () => container.stop() }
  })

export const clickhouseContainer = () =>
  started('clickhouse', async (image, labels) => {
    const container = await new ClickHouseContainer(image)
      .withEnvironment({ CLICKHOUSE_DEFAULT_ACCESS_MANAGEMENT: '1' }) // for the account for ad hoc SQL
      .withLabels(labels)
      .start()
    return { url: container.getConnectionUrl(), stop: () => container.stop() }
  })

export const redisContainer = () =>
  started('valkey', async (image, labels) => {
    const container = await new RedisContainer(image)
      .withCommand(['valkey-server'])
      .withLabels(labels)
      .start()
    return { url: container.getConnectionUrl(), stop: () => container.stop() }
  })

type Labels = Record<string, string>

/** Throws with the name of the image in the message. */
export async function started(
  service: string,
  start: (image: string, labels: Labels) => Promise<Omit<Container, 'image'>>,
): Promise<Container> {
  const image = imageOf(service)
  try {
    return { image, ...(await start(image, watched())) }
  } catch (error) {
    throw new Error(`${image} does not run: ${(error as Error).message}`, { cause: error })
  }
}

let labels: Labels | undefined

/** Labels of containers that are removed when this process ends in any way (test/remove-containers.mjs). */
function watched(): Labels {
  if (labels) return labels
  // The watcher takes the place of testcontainers/ryuk, which is one more image, and has the rights of the engine.
  process.env.TESTCONTAINERS_RYUK_DISABLED = 'true'
  const run = randomUUID()
  const watcher = spawn(process.execPath, [new URL('remove-containers.mjs', import.meta.url).pathname, run], {
    detached: true, // not ended by the Ctrl-C that ends the tests
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  watcher.unref()
  if (watcher.stdin instanceof Socket) watcher.stdin.unref()
  labels = { 'rackrate.tests': run }
  return labels
}

const composeFile = new URL('../docker-compose.yml', import.meta.url)

/** The image that the compose file runs, so that tests run the same one. */
export function imageOf(service: string): string {
  const image = new RegExp(`^  ${service}:\\n(?:    .*\\n)*?    image: (\\S+)$`, 'm').exec(
    readFileSync(composeFile, 'utf8'),
  )
  if (!image?.[1]) throw new Error(`docker-compose.yml names no image for ${service}`)
  return image[1]
}
