import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { groupBy } from '../../../platform/group-by.ts'
import { createKey } from '../../../platform/security/api-keys.ts'
import { smallMarket } from '../../market.ts'
import { openSite, patient, type Site } from './site.ts'

// Clients that do harm to a `rackrate up`, each crowd from addresses of its own, while a host reads prices. CLIENT_ROUNDS=10 does it ten times.

const rounds = Number(process.env.CLIENT_ROUNDS ?? 1)
const slots = 40
const history = '/api/v0/metrics/gpu/history'

let site: Site
let port: number
let keys: { host: string; others: string[] }

beforeAll(async () => {
  site = openSite('clients')
  site.start()
  await site.isUp()
  await site.withEngines(({ postgres }) => smallMarket(postgres, 60))
  await site.captureSome(slots)
  await site.expectComplete()
  const key = () =>
    site.withEngines(async ({ postgres }) => (await createKey(postgres, { accountId: 1001 })).key)
  keys = { host: await key(), others: [await key(), await key(), await key()] }
  port = Number(new URL(JSON.parse(/^\{"url".*$/m.exec(site.output())?.[0] ?? '').url).port)
}, 600_000)
afterAll(() => site.remove(), 600_000)

interface Answer {
  status: number
  retryAfter: string | undefined
  body: { success: boolean; error?: string }
}

interface ClientRequest {
  path: string
  key?: string
  /** The address of the client. */
  from: string
  agent?: Agent
}

/** Rejects when the connection ends without an answer, or after a minute. */
const ask = ({ path, key, from, agent }: ClientRequest): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
    const signal = AbortSignal.timeout(60_000)
    request({ port, path, localAddress: from, headers, signal, agent: agent ?? false }, (response) => {
      const { statusCode: status = 0, headers: answered } = response
      json(response).then(
        (body) => resolve({ status, retryAfter: answered['retry-after'], body: body as Answer['body'] }),
        reject,
      )
    })
      .on('error', reject)
      .end()
  })

/** Each query names another unknown GPU beside the known one, so that no cache answers it. */
let asked = 0
const newQuestion = () => {
  asked += 1
  return `${history}?gpu_name=RTX+4090,NONE+${asked}&step=900&start=${site.slot - 86_400}&end=${site.slot}`
}

/** Reads prices as a host while `work` runs. Each request must be answered. */
async function whileHostReads(what: string, work: () => Promise<void>): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 2 })
  let over = false
  const answers: Answer[] = []
  const reading = (async () => {
    while (!over || answers.length < 20) {
      answers.push(await ask({ path: newQuestion(), key: keys.host, from: '127.0.0.1', agent }))
      await pause(100)
    }
  })()
  try {
    await Promise.all([reading, work().finally(() => (over = true))])
  } finally {
    agent.destroy()
  }
  console.log(`hostile clients: ${what}; ${answers.length} reads of a host meanwhile`)
  expect(answers.filter(({ status, body }) => status !== 200 || !body.success)).toEqual([])
}

const descriptors = () => readdirSync(`/proc/${site.up?.pid}/fd`).length

/** Opens `count` connections that continue as `behave` does, and waits until the service has ended each. */
async function crowd(
  count: number,
  from: (n: number) => string,
  behave: (socket: Socket, n: number) => void,
) {
  const before = descriptors()
  let left = count
  const sockets = Array.from({ length: count }, (_, n) => {
    // The client's side stays open when the service ends its own.
    const socket = connect({ port, host: '127.0.0.1', localAddress: from(n), allowHalfOpen: true })
    socket.on('error', () => {}).resume()
    Promise.race([once(socket, 'end'), once(socket, 'close')])
      .catch(() => {})
      .finally(() => {
        left -= 1
      })
    behave(socket, n)
    return socket
  })
  try {
    await expect.poll(() => left, patient).toBe(0)
    // The service keeps none of them, though their clients do not close. Connections to the engines come and go.
    await expect.poll(descriptors, patient).toBeLessThan(before + 50)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

/** Writes `start`, then a byte now and then for as long as the connection is there. */
function drip(socket: Socket, ms: number, start: string): void {
  socket.write(start)
  const timer = setInterval(() => socket.write('x'), ms)
  socket.once('close', () => clearInterval(timer))
}

const post =
  'POST /api/v0/sql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{'
const behaviors: ((socket: Socket) => void)[] = [
  () => {}, // Sends nothing.
  (socket) => socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\nx-half: '),
  (socket) => drip(socket, 1000, 'GET /healthz HTTP/1.1\r\nx-slow: '),
  (socket) => drip(socket, 3000, post),
  (socket) => socket.write(randomBytes(4096)),
  (socket) => socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'), // and stays
  (socket) => socket.write(`GET /${'x'.repeat(100_000)} HTTP/1.1\r\n\r\n`),
  (socket) => socket.end(), // half closed at once
]

for (let round = 1; round <= rounds; round += 1)
  it(`a host's reads are answered whatever other clients do, round ${round}`, async () => {
    await whileHostReads('300 ignore the end of their connection', () =>
      crowd(
        300,
        () => '127.0.0.2',
        (socket) => drip(socket, 1000, 'not HTTP\r\n\r\n'),
      ),
    )
    await whileHostReads('1,000 of all kinds, most from one address', () =>
      crowd(
        1000,
        (n) => (n < 600 ? '127.0.0.3' : '127.0.0.4'),
        (socket, n) => behaviors[n % behaviors.length]?.(socket),
      ),
    )
    await whileHostReads('2,000 unknown keys', async () => {
      const lanes = Array.from({ length: 40 }, async () => {
        const statuses: number[] = []
        for (let n = 0; n < 50; n += 1) {
          const key = `rr_${randomBytes(8).toString('hex')}_${randomBytes(32).toString('hex')}`
          statuses.push((await ask({ path: history, key, from: '127.0.0.5' })).status)
        }
        return statuses
      })
      const statuses = (await Promise.all(lanes)).flat()
      expect(statuses.filter((status) => status !== 401 && status !== 429)).toEqual([])
    })
    await whileHostReads('108 answers of a year each', async () => {
      const answers = await Promise.all(
        Array.from({ length: 108 }, (_, n) =>
          ask({
            path: `${history}?gpu_name=all&step=${600 + n * 60}&start=${site.slot - 31_536_000}&end=${site.slot}`,
            key: keys.others[n % keys.others.length] ?? '',
            from: '127.0.0.6',
          }),
        ),
      )
      const byStatus = [...groupBy(answers, ({ status }) => status)].map(
        ([status, { length }]) => `${length} × ${status}`,
      )
      console.log(`hostile clients: answers of a year: ${byStatus.join(', ')}`)
      expect(answers.filter(({ status }) => ![200, 400, 429, 503].includes(status))).toEqual([])
    })
    // Fifty readers of an engine that stands still: each gets an answer, and the service is well again with the engine.
    const clickhouse = site.pidOf('clickhouse/pid')
    process.kill(clickhouse, 'SIGSTOP')
    try {
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => ask({ path: newQuestion(), key: keys.host, from: '127.0.0.7' })),
      )
      for (const { status, retryAfter, body } of answers) {
        expect([429, 503]).toContain(status)
        expect([retryAfter, body.success]).toEqual([expect.stringMatching(/^\d+$/), false])
      }
      expect(answers.some(({ status }) => status === 503)).toBe(true)
    } finally {
      process.kill(clickhouse, 'SIGCONT')
    }
    await expect
      .poll(
        async () => (await ask({ path: newQuestion(), key: keys.host, from: '127.0.0.1' })).status,
        patient,
      )
      .toBe(200)
    // The pipeline lost nothing meanwhile.
    await site.captureSome(3)
    await site.expectComplete()
  }, 1_800_000)
