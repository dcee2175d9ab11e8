import { readFileSync } from 'node:fs'
import { ClickHouseContainer } from '@testcontainers/clickhouse'
import { PostgreSqlContainer } from '@testcontainers/postgresql'
import { RedisContainer } from '@testcontainers/redis'
import { getContainerRuntimeClient } from 'testcontainers'

/** An engine in a container of its own, of the image that docker-compose.yml has for it. The URL has credentials in it. */
export interface Container {
  image: string
  url: string
  stop(): Promise<unknown>
}

/** Whether there is a Docker engine. Without one it takes a millisecond: its socket is looked for. */
export const hasDocker = (): Promise<boolean> =>
  getContainerRuntimeClient().then(
    () => true,
    () => false,
  )

export async function postgresContainer(): Promise<Container> {
  const image = imageOf('postgres')
  const container = await new PostgreSqlContainer(image)
    .withCommand(['postgres', '-c', 'max_connections=200', '-c', 'fsync=off'])
    .start()
  return { image, url: container.getConnectionUri(), stop: () => container.stop() }
}

export async function clickhouseContainer(): Promise<Container> {
  const image = imageOf('clickhouse')
  const container = await new ClickHouseContainer(image)
    .withEnvironment({ CLICKHOUSE_DEFAULT_ACCESS_MANAGEMENT: '1' }) // for the account for ad hoc SQL
    .start()
  return { image, url: container.getConnectionUrl(), stop: () => container.stop() }
}

export async function redisContainer(): Promise<Container> {
  const image = imageOf('valkey')
  const container = await new RedisContainer(image).withCommand(['valkey-server']).start()
  return { image, url: container.getConnectionUrl(), stop: () => container.stop() }
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
