import { spawn } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { requireRedis } from '../../cli/require-redis.ts'
import { freePort, hasRedis } from '../debian.ts'
import { exited } from '../process.ts'

describe.skipIf(!hasRedis)('a Redis with a password', () => {
  const warnings: string[] = []
  let port: number
  let redis: ReturnType<typeof spawn>
  beforeAll(async () => {
    port = await freePort()
    redis = spawn('redis-server', ['--port', `${port}`, '--save', '', '--requirepass', 'right'])
    await vi.waitFor(() => expect(tried('')).rejects.toThrow('NOAUTH'), { timeout: 60_000 })
  })
  afterAll(async () => {
    redis?.kill('SIGKILL')
    if (redis) await exited(redis)
  })
  const tried = (login: string, at = port) =>
    requireRedis(`redis://${login}127.0.0.1:${at}/0`, (text) => warnings.push(text))

  it('is taken with its password only, and the message does not repeat it', async () => {
    await expect(tried(':right@')).resolves.toBeUndefined()
    const error: Error = await tried(':wrong@').then(
      () => expect.unreachable(),
      (reason) => reason,
    )
    expect(error.message).toContain('Redis refuses the user or the password of REDIS_URL: WRONGPASS')
    expect(error.message).not.toContain('wrong@')
  })

  it('may be away', async () => {
    warnings.length = 0
    const away = await freePort()
    await expect(tried(':wrong@', away)).resolves.toBeUndefined()
    expect(warnings).toEqual([
      expect.stringContaining(`REDIS_URL: Redis at 127.0.0.1:${away} cannot be reached: `),
    ])
    expect(warnings[0]).not.toContain('wrong')
  })
})
