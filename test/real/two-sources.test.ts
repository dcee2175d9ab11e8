import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepToSource } from '../../collect/site-source.ts'
import { listSources, registerSources } from '../../collect/sources.ts'
import { openBoard } from '../../workers/queues-page.ts'
import { connectAssistant } from '../assistant.ts'
import { startServer } from '../server.ts'
import { expectedRows, observedAt, rigsAt } from '../stand-in.ts'
import { nothingWrong, openTwoSources } from '../two-sources.ts'

let sources: Awaited<ReturnType<typeof openTwoSources>>
beforeAll(async () => {
  sources = await openTwoSources()
})
afterAll(() => sources?.close())

it('two sources stay apart: in their figures, in their gaps, in the API and in SQL', async () => {
  const { databases, market, other, slotAt } = sources
  await sources.take(0)
  other.fault = (response) => response.writeHead(500).end()
  await expect(sources.take(1)).rejects.toThrow('status 500')
  other.fault = undefined
  await sources.take(2)
  await sources.load()
  expect(await sources.slots()).toEqual([
    [0, 1, 2],
    [0, 2],
  ])
  expect(await observedAt(databases.clickhouse, slotAt(2))).toEqual(expectedRows(rigsAt(40, 2)))
  expect(await sources.checks()).toEqual(nothingWrong)

  const server = await startServer({ databases, markets: [market] })
  try {
    const total = async (source: string) => {
      const { body } = await server.get(`/api/v0/metrics/gpu/current?verified=all${source}`)
      const { gpus } = body as { gpus: { total_gpus: number }[] }
      return gpus.reduce((sum, row) => sum + row.total_gpus, 0)
    }
    const gpusOf = (count: number) => rigsAt(count).reduce((sum, rig) => sum + rig.gpus, 0)
    // Twice, since the second answer may come from a cache.
    for (const _ of [1, 2]) {
      expect(await total('')).toBe(gpusOf(40))
      expect(await total('&source=vast')).toBe(gpusOf(60))
      expect(await total('&source=exporter')).toBe(gpusOf(40))
    }
    expect((await server.get('/api/v0/metrics/sources')).body).toEqual({
      success: true,
      sources: [
        {
          name: 'exporter',
          newest_slot: slotAt(2),
          failures: 0,
          problem: null,
          left_out: {},
          left_out_rows: [],
          takes_key: false,
          coverage: null,
          official: null,
        },
        {
          name: 'vast',
          newest_slot: slotAt(2),
          failures: 0,
          problem: null,
          left_out: {},
          left_out_rows: [],
          takes_key: true,
          coverage: expect.objectContaining({
            slot: slotAt(2),
            method: 'one answer',
            share: 1,
            notice: null,
          }),
          official: null,
        },
      ],
    })
    const base = await server.app.listen({ host: '127.0.0.1', port: 0 })
    const assistant = await connectAssistant(base, server.adminKey)
    const tell = async (name: string, given: Record<string, string> = {}) => {
      const { content } = await assistant.callTool({ name, arguments: given })
      return (content as { text: string }[])[0]?.text ?? ''
    }
    const newest = new Date(slotAt(2) * 1000).toISOString().replace('.000', '')
    expect(JSON.parse(await tell('sources')).data.sources).toEqual([
      { name: 'exporter', newest },
      { name: 'vast', newest },
    ])
    for (const [source, count] of [
      ['exporter', 40],
      ['vast', 60],
    ] as const) {
      const { data } = JSON.parse(await tell('current_market', { source, verified: 'all' }))
      const counts = (data.gpus as { total_gpus: number }[]).map(({ total_gpus }) => total_gpus)
      expect([source, counts.reduce((sum, gpus) => sum + gpus, 0)]).toEqual([source, gpusOf(count)])
    }
    expect(await tell('gpu_types', { source: 'nope' })).toBe('source must be exporter or vast')
    await assistant.close()
    const question = `verified=all&gpu_name=RTX+4090&start=${slotAt(0)}&end=${slotAt(3)}`
    for (const source of ['', '&source=exporter', '&source=vast', '&source=nope']) {
      const query = `${question}${source}`
      const made = await server.send('POST', '/api/v0/shares', server.adminKey, { query })
      expect(made.status).toBe(source === '&source=nope' ? 400 : 200)
      if (made.status !== 200) continue
      const token = (made.body as { url: string }).url.split('=')[1]
      const shared = (await server.get(`/api/v0/shared/${token}`)).body as { gpus: object }
      const history = (await server.get(`/api/v0/metrics/gpu/history?${query}`)).body as { gpus: object }
      expect(shared.gpus).toEqual(history.gpus)
      const picture = await server.app.inject({ url: `/api/v0/shared/${token}/picture` })
      expect(picture.statusCode).toBe(200)
    }
    const global = await server.get('/metrics/global?source=vast')
    expect(global.body).toMatch(`rackrate_market_slot_timestamp_seconds ${slotAt(2)}`)
    for (const wrong of [
      'source=nope',
      'source=',
      'source=vast&source=exporter',
      'source=Vast',
      'source=vast%00',
      '%73ource=vast',
      'source[]=vast',
    ]) {
      const answer = await server.get(`/api/v0/metrics/gpu/history?${wrong}`)
      expect([wrong, answer.status]).toEqual([wrong, 400])
      expect(answer.body).toMatchObject({
        error: 'invalid_args',
        msg: expect.stringMatching(/^source must/),
      })
    }
    expect((await server.get('/api/v0/metrics/gpu/names?source=vast', 'rr_none')).status).toBe(401)
    if (!databases.adHoc) return
    const { database } = market.clickhouseAddress
    const parts = `SELECT 'exporter' AS market, * FROM observations UNION ALL SELECT 'vast', * FROM ${database}.observations`
    const query = `SELECT market, count() AS rows FROM (${parts}) GROUP BY market ORDER BY market`
    const answer = await server.send('POST', '/api/v0/metrics/sql', server.adminKey, { query })
    const rows = [0, 1, 2].map((step) => expectedRows(rigsAt(40, step)).length)
    const others = [0, 2].map((step) => expectedRows(rigsAt(60, step)).length)
    const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0)
    expect(answer.body).toMatchObject({
      data: [
        { market: 'exporter', rows: sum(rows) },
        { market: 'vast', rows: sum(others) },
      ],
    })
    // A view of the other market reads that market, too.
    const range = `steps = [1], from = ${slotAt(0)}, to = ${slotAt(3)}`
    const machines = `SELECT sum(total) AS machines FROM ${database}.slot_rows(${range}) WHERE verified = 'all' AND hosting_type = 'all' AND num_gpus = 0`
    const view = await server.send('POST', '/api/v0/metrics/sql', server.adminKey, { query: machines })
    expect(view.body).toMatchObject({ data: [{ machines: 120 }] })
    const schema = (await server.get('/api/v0/metrics/sql/schema')).body as { tables: { name: string }[] }
    expect(schema.tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['observations', `${database}.observations`]),
    )
  } finally {
    await server.app.close()
  }
})

it('admins see the queues of both markets', async () => {
  const board = await openBoard(sources.databases, [sources.market], '')
  try {
    const named = (market: string | null) => expect.objectContaining({ name: 'load', market })
    expect(await board.read(Date.now() / 1000)).toEqual(expect.arrayContaining([named(null), named('vast')]))
  } finally {
    await board.close()
  }
})

it('two sources keep their order and their names', async () => {
  const { postgres } = sources.databases
  await expect(registerSources(postgres, ['vast', 'exporter'])).rejects.toThrow(
    'Give the sources in the same order',
  )
  await registerSources(postgres, ['mine', 'vast'])
  await registerSources(postgres, ['mine'])
  expect(await listSources(postgres)).toEqual([
    { name: 'mine', is_first: true, is_collected: true },
    { name: 'vast', is_first: false, is_collected: false },
  ])
  await expect(keepToSource(sources.market.postgres, sources.source)).rejects.toThrow(
    'a market has only one source',
  )
})
