import { Redis } from 'ioredis'
import { toError } from '../contract/failure.ts'
import { UsageError } from '../platform/usage-error.ts'

/** Time after which a silent Redis counts as unreachable. */
const patienceMs = 2000

/**
 * Throws when Redis refuses these credentials, because waiting would not help. An unreachable Redis may come back, so the process
 * continues.
 */
export async function requireRedis(url: string): Promise<void> {
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
  } finally {
    redis.disconnect()
  }
  if (refusals[0]) throw new UsageError(`Redis refuses the user or the password of REDIS_URL: ${refusals[0]}`)
}
