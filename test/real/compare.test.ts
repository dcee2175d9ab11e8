import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { z } from 'zod'
import { collect } from '../../collect/collect.ts'
import { openSource } from '../../collect/open-source.ts'
import { keepToSource } from '../../collect/site-source.ts'
import type { historyAnswer } from '../../contract/history.ts'
import { capture } from '../../ingest/capture.ts'
import { loadAll } from '../../ingest/load.ts'
import { selectRows } from '../../platform/stores/clickhouse.ts'
import { smallMarket } from '../market.ts'
import { exited, spawnRackrate } from '../process.ts'
import { startServer, type TestServer } from '../server.ts'
import { openStandIn, type Rig } from '../stand-in.ts'

const slot = 1_790_000_100
let inside: TestServer
let outside: TestServer
const urls: string[] = []

beforeAll(async () => {
  inside = await startServer()
  outside = await startServer()
  for (const server of [inside, outside]) {
    await server.clock.hold(slot + 30)
    urls.push(await server.app.listen({ port: 0, host: '127.0.0.1' }))
  }
  await smallMarket(inside.postgres, 60)
  await capture(inside.postgres, slot)
  await loadAll(inside)
  const standIn = await openStandIn()
  standIn.rigs = await rigsOf(inside)
  standIn.time = slot
  const source = openSource(`exporter=${standIn.url}`, {})
  await keepToSource(outside.postgres, source)
  await collect(outside, source, { slot, interval: 300 })
  await loadAll(outside)
  standIn.close()
})
afterAll(async () => {
  await inside?.close()
  await outside?.close()
})

/** The machines of a market as an exporter shows them: from outside, contract prices are unknown. */
const rigsOf = ({ clickhouse }: TestServer) =>
  selectRows<Rig>(
    clickhouse,
    `SELECT machine_id AS id, any(host_id) AS host, any(gpu_name) AS gpu, any(num_gpus) AS gpus,
       toUInt32(sumIf(o.gpus, o.rented)) AS rented, toFloat64(argMin(o.price, o.rented)) AS price, any(verified) AS verified,
       any(hosting_type = 'secure_cloud') AS datacenter
     FROM observations AS o GROUP BY machine_id ORDER BY machine_id`,
  )

async function compare(...args: string[]) {
  const [here = '', there = ''] = urls
  const child = spawnRackrate(
    [
      'compare',
      '--with',
      there,
      '--key',
      outside.adminKey,
      '--to',
      `${slot - (slot % 3600) + 3600}`,
      ...args,
    ],
    { RACKRATE_URL: here, RACKRATE_KEY: inside.adminKey },
  )
  return { code: await exited(child), output: child.output() }
}

it('a rackrate that records another one from outside agrees with it, except on contract prices', async () => {
  const { code, output } = await compare('--json')
  const { ok, compared, differences, hints } = JSON.parse(output) as {
    ok: boolean
    compared: number
    differences: { figure: string; filter: string; buckets: number; equal: number; largest: number | null }[]
    hints: string[]
  }
  expect(compared).toBeGreaterThan(50)
  expect(new Set(differences.map(({ filter }) => filter)).size).toBe(3)
  const differs = differences.filter(({ buckets, equal }) => equal < buckets).map(({ figure }) => figure)
  expect(differs.filter((figure) => !/^rented_(p10|median|p90)$/.test(figure))).toEqual([])
  expect({ ok, code }).toEqual(differs.length > 0 ? { ok: false, code: 1 } : { ok: true, code: 0 })
  expect(hints.every((hint) => hint.startsWith('Only rented prices differ'))).toBe(true)
})

it('the comparison reports differences, and possible explanations', async () => {
  // Another server with the same counts, and dearer medians.
  const other = createServer(async ({ url, headers }, response) => {
    const { authorization = '' } = headers
    const answer = await fetch(`${urls[1]}${url}`, { headers: { authorization } })
    const body = (await answer.json()) as z.infer<typeof historyAnswer>
    for (const { pricing } of Object.values(body.gpus))
      pricing.avail_median = pricing.avail_median.map((price) => price && price * 1.1)
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const dearer = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const { code, output } = await compare('--filter', 'verified=all', '--with', dearer)
  other.close()
  expect(code).toBe(1)
  expect(output).toMatch(
    /, verified=all, avail_median: 0 of 1 equal, median difference 9\.09 % \(bias -9\.09 %\)/,
  )
  expect(output).toContain('- Counts agree but prices do not')
  expect(await compare('--filter', 'verified=all', '--within', '100')).toMatchObject({ code: 0 })
})

it('explains what is wrong with the other server', async () => {
  expect(await compare('--gpu', 'No such GPU')).toMatchObject({
    code: 1,
    output: expect.stringContaining('nothing was compared'),
  })
  expect(await compare('--key', 'wrong')).toMatchObject({
    code: 1,
    output: expect.stringContaining('answered with status 401'),
  })
  expect(await compare('--with', 'nowhere')).toMatchObject({ code: 2 })
  expect(await compare('--with', `${urls[0]}/docs`)).toMatchObject({ code: 1 })
})
