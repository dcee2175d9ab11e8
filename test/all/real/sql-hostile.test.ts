import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { adHocMemoryBytes } from '../../../embedded/ad-hoc-process.ts'
import { hasAdHoc } from '../../ad-hoc.ts'
import { type HostileSite, openHostileSite } from '../../hostile-site.ts'

let site: HostileSite
beforeAll(async () => {
  if (hasAdHoc) site = await openHostileSite()
})
afterAll(() => site?.close())

const residentOf = (pid: string): number => {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

describe.skipIf(!hasAdHoc)('statements that take too much', () => {
  const polygon = (seed: number) =>
    `[[arrayMap(i -> (randCanonical(i + ${seed}), randCanonical(i + ${seed + 1})), range(20000))]]`
  /** Waits inside one function call for data that never arrives: the process reads from its own pipe. */
  const stuck = async () => {
    await site.works()
    const folder = `/proc/${site.processes()[0]}/fd`
    const pipe = readdirSync(folder).find((fd) => readlinkSync(join(folder, fd)).startsWith('pipe:'))
    return `SELECT file('/proc/self/fd/${pipe}')`
  }
  const bombs: [string, string][] = [
    ['polygonsUnionCartesian', `SELECT length(polygonsUnionCartesian(${polygon(1)}, ${polygon(3)}))`],
    [
      'polygonsSymDifferenceCartesian',
      `SELECT length(polygonsSymDifferenceCartesian(${polygon(1)}, ${polygon(3)}))`,
    ],
    ['h3kRing', 'SELECT length(h3kRing(644325529233966508, 5000))'],
    [
      'h3kRing many times',
      'SELECT sum(length(h3kRing(644325529233966508, toUInt16(1000 + number)))) FROM numbers(1000)',
    ],
    [
      'threads and memory raised in a subquery',
      'SELECT count() FROM (SELECT groupArray(number) FROM numbers_mt(4000000000) SETTINGS max_threads = 64, max_memory_usage = 0, max_memory_usage_for_user = 0)',
    ],
    [
      'a sleep and time raised in a subquery',
      'SELECT x FROM (SELECT sleep(100) AS x SETTINGS function_sleep_max_microseconds_per_block = 200000000, max_execution_time = 0)',
    ],
    ['one long value', "SELECT length(repeat(repeat('x', 1000000), 1000000))"],
    [
      'a wide join',
      "SELECT count() FROM numbers(100000000) a CROSS JOIN numbers(100000000) b SETTINGS join_algorithm = 'hash'",
    ],
    ['many arrays', 'SELECT arrayMap(x -> range(10000000), range(1000))'],
  ]

  const cube = `SELECT count() FROM (SELECT 1 FROM numbers(100) GROUP BY CUBE (${Array.from({ length: 24 }, (_, n) => `number % ${n + 2}`).join()}))`
  const refused = [400, 403, 422, 500, 503]

  /** Looks meanwhile at the memory of ad hoc SQL, and reads the price history. */
  const whileWatching = async (work: () => Promise<unknown>) => {
    let [most, isOver] = [0, false]
    const history: number[] = []
    const watching = (async () => {
      while (!isOver) {
        most = Math.max(
          most,
          site.processes().reduce((sum, pid) => sum + residentOf(pid), 0),
        )
        await pause(50)
      }
    })()
    const reading = (async () => {
      while (!isOver) {
        const at = Date.now()
        const { status } = await site.server.get(
          `/api/v0/metrics/gpu/history?gpu_name=RTX_4090&end=${Math.floor(at / 1000) - history.length}`,
        )
        expect(status).toBe(200)
        history.push(Date.now() - at)
        await pause(250)
      }
    })()
    await work().finally(() => {
      isOver = true
    })
    await Promise.all([watching, reading])
    const memory = `ad hoc SQL held at most ${Math.round(most / 2 ** 20)} MB`
    console.log(`${memory}; history took at most ${Math.max(...history)} ms in ${history.length} reads`)
    expect(most).toBeLessThan(adHocMemoryBytes + 256 * 2 ** 20)
    expect(history.length).toBeGreaterThan(10)
  }

  it('are bounded by the operating system, and the price history goes on', () =>
    whileWatching(async () => {
      for (const [name, query] of bombs) {
        const { status, text } = await site.ask(query)
        expect([200, ...refused], `${name}: ${status} ${text.slice(0, 300)}`).toContain(status)
        await site.works()
      }
    }))

  it('a statement that does not end costs the engine a restart when its caller has left', async () => {
    await site.works()
    const [before] = site.processes()
    const leaving = new AbortController()
    const asked = fetch(`${site.base}/api/v0/metrics/sql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${site.server.adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: await stuck() }),
      signal: leaving.signal,
    })
    const left = expect(asked).rejects.toThrow()
    await site.begun("SELECT file('/proc")
    leaving.abort()
    await left
    await vi.waitFor(() => expect(site.processes()).not.toContain(before), { timeout: 60_000, interval: 500 })
    await site.works()
  })

  it('end after a minute with a clear error, by the engine or from outside', () =>
    whileWatching(async () => {
      const endless = site.ask(await stuck())
      await site.begun("SELECT file('/proc")
      const planned = await site.ask(cube)
      expect(refused, `${planned.status} ${planned.text.slice(0, 300)}`).toContain(planned.status)
      const { status, text } = await endless
      expect([status, JSON.parse(text).error]).toEqual([422, 'limit_exceeded'])
      await site.works()
    }))
})

describe.skipIf(!hasAdHoc)('the engine of ad hoc SQL', () => {
  it('answers on a connection that was unused for some seconds', async () => {
    const { url, username, password } = site.engines.clickhouse?.analyst ?? {}
    const address = `${url}/?database=${site.server.clickhouseAddress.database}&query=SELECT+1`
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const asked = async () => {
      const sent = request(address, {
        agent,
        auth: `${username}:${password}`,
        method: 'POST',
      })
      const [response] = (await once(sent.end(), 'response')) as [IncomingMessage]
      response.resume()
      await once(response, 'end')
      return { status: response.statusCode, reused: sent.reusedSocket }
    }
    await site.works()
    await asked()
    await pause(8000)
    expect(await asked()).toEqual({ status: 200, reused: true })
    agent.destroy()
  })
})
