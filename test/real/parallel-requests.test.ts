import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createKey } from '../../platform/security/api-keys.ts'
import { smallMarket } from '../market.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
let keys: { own: string; other: string }
/** Ends the handlers of /api/v0/held. */
let letGo: () => void
let begun = 0
const handler = async () => {
  begun += 1
  await new Promise<void>((resolve) => {
    const before = letGo
    letGo = () => {
      before()
      resolve()
    }
  })
  return { success: true }
}
const held = (permissions: readonly ['user_read'] | 'none') => ({ config: { permissions } })
beforeAll(async () => {
  server = await startServer({ parallelRequests: 12 })
  await smallMarket(server.postgres, 4)
  const key = async (accountId: number) => (await createKey(server.postgres, { accountId })).key
  keys = { own: await key(1001), other: await key(1002) }
  letGo = () => {}
  server.app.get('/api/v0/held', held(['user_read']), handler)
  server.app.get('/api/v0/held-without-key', held('none'), handler)
  server.app.get('/api/v0/late', { ...held(['user_read']), handlerTimeout: 50 }, handler)
  server.app.get('/api/v0/fails-late', { ...held(['user_read']), handlerTimeout: 50 }, async () => {
    await handler()
    throw new Error('too late')
  })
})
afterEach(() => {
  begun = 0
  letGo = () => {}
  vi.restoreAllMocks()
})
afterAll(() => server?.close())

const statusOf = async (path: string, key = keys.own) => (await server.get(path, key)).status
const ask = (count: number, path = '/api/v0/held', key = keys.own) =>
  Array.from({ length: count }, () => server.get(path, key))
const statuses = async (answers: Promise<{ status: number }>[]) =>
  (await Promise.all(answers)).map(({ status }) => status)

describe('requests of an account at the same time', () => {
  it('are worked on eight at a time, wait up to the limit, and are 429 beyond it', async () => {
    const answers = ask(14)
    const refused: object[] = []
    for (const answer of answers)
      answer.then((given) => {
        if (given.status === 429) refused.push(given)
      })
    // On a busy machine the second refusal comes later than the first.
    await expect.poll(() => refused.length).toBe(2)
    expect(refused[0]).toMatchObject({
      status: 429,
      headers: { 'retry-after': '1' },
      body: {
        success: false,
        error: 'too_many_requests',
        msg: 'Too many requests at the same time. Try again in 1 second.',
      },
    })
    await expect.poll(() => begun).toBe(8)
    expect(await statusOf('/api/v0/ssh', keys.other)).toBe(200)
    letGo()
    await expect.poll(() => begun).toBe(12)
    letGo()
    expect((await statuses(answers)).toSorted()).toEqual([...Array(12).fill(200), 429, 429])
    expect(await statusOf('/api/v0/ssh')).toBe(200)
  })

  it('count for their account over all its keys', async () => {
    const { key: second } = await createKey(server.postgres, { accountId: 1001 })
    const answers = [...ask(6), ...ask(6, '/api/v0/held', second)]
    await expect.poll(() => begun).toBe(8)
    expect(await statusOf('/api/v0/ssh', second)).toBe(429)
    letGo()
    await expect.poll(() => begun).toBe(12)
    letGo()
    await Promise.all(answers)
  })

  it('have a lower limit for one key, which leaves places to the other keys', async () => {
    const other = await startServer({ keyParallelRequests: 2, databases: server })
    other.app.get('/api/v0/held', held(['user_read']), handler)
    const { key: second } = await createKey(server.postgres, { accountId: 1001 })
    const status = async (key: string) => (await other.get('/api/v0/held', key)).status
    const answers = [status(keys.own), status(keys.own)]
    await expect.poll(() => begun).toBe(2)
    expect(await status(keys.own)).toBe(429)
    answers.push(status(second))
    await expect.poll(() => begun).toBe(3)
    letGo()
    expect(await Promise.all(answers)).toEqual([200, 200, 200])
    expect((await other.get('/api/v0/ssh', keys.own)).status).toBe(200)
    await other.app.close()
  })

  it('count for their address where no key is needed', async () => {
    const from = (remoteAddress: string) =>
      server.app
        .inject({ url: '/api/v0/held-without-key', remoteAddress })
        .then(({ statusCode }) => statusCode)
    const answers = Array.from({ length: 12 }, () => from('198.51.100.1'))
    await expect.poll(() => begun).toBe(8)
    expect(await from('198.51.100.1')).toBe(429)
    const other = from('198.51.100.2')
    await expect.poll(() => begun).toBe(9)
    letGo()
    await expect.poll(() => begun).toBe(13)
    letGo()
    expect(await Promise.all([...answers, other])).toEqual(Array(13).fill(200))
  })

  it('hold their place until the handler has ended, also after an answer of 503', async () => {
    expect(await statuses(ask(8, '/api/v0/late'))).toEqual(Array(8).fill(503))
    const next = ask(1)
    expect(await statusOf('/api/v0/late')).toBe(503) // its time is over while it waits
    expect(begun).toBe(8)
    letGo()
    await expect.poll(() => begun).toBe(9)
    letGo()
    expect(await statuses(next)).toEqual([200])
  })

  it.each(['/api/v0/late', '/api/v0/fails-late'])('%s writes no warning after its 503', async (path) => {
    const lines: string[] = []
    vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0)
    expect(await statusOf(path)).toBe(503)
    letGo()
    expect(await statusOf('/api/v0/ssh')).toBe(200)
    expect(lines.filter((line) => !line.includes('the answer took too long'))).toEqual([])
  })
})
