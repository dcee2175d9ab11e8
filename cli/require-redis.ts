import { Redis } from 'ioredis'
import { toError } from '../contract/failure.ts'
import { UsageError } from '../platform/usage-error.ts'
import { placeOfServer } from './require-databases.ts'

/** Time after which a silent Redis counts as unreachable. */
const patienceMs = 2000

/**
 * Throws when Redis refuses these credentials, because waiting would not help. An unreachable Redis may come back, so the process
 * continues, and `warn` receives a sentence.
 */
export async function requireRedis(url: string, warn: (text: string) => void): Promise<void> {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableReadyCheck: false,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: patienceMs,
    commandTimeout: patienceMs,
  })
  const refusals: string[] = []
  const note = ({ message }: Error) => {
    if (/^(WRONGPASS|NOAUTH|NOPERM)/.test(message)) refusals.push(message)
  }
  redis.on('error', note)
  try {
    await redis.connect()
    await redis.ping()
  } catch (error) {
    note(toError(error))
    if (refusals.length === 0)
      warn(
        `REDIS_URL: Redis at ${placeOfServer(url)} cannot be reached: ${toError(error).message}. Queues and limits wait for it.`,
      )
  } finally {
    redis.disconnect()
  }
  if (refusals[0]) throw new UsageError(`Redis refuses the user or the password of REDIS_URL: ${refusals[0]}`)
}
