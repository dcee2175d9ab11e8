import { afterEach, beforeEach, expect, it } from 'vitest'
import { collect } from '../../collect/collect.ts'
import { keepToSource } from '../../collect/site-source.ts'
import { registerSources } from '../../collect/sources.ts'
import { check, seriesRange } from '../../ingest/check.ts'
import { loadAll } from '../../ingest/load.ts'
import { selectRows } from '../../platform/stores/clickhouse.ts'
import { freshDatabases, type TestDatabases } from '../database.ts'
import { sampledInterval, sourceOfSampled } from '../properties/sampled-market.ts'
import { openSampledMarket, type SampledMarket } from '../sampled-market.ts'
import { startServer } from '../server.ts'

let databases: TestDatabases
let market: SampledMarket
beforeEach(async () => {
  databases = await freshDatabases()
  market = await openSampledMarket({ offers: 300 })
})
afterEach(async () => {
  market.close()
  await databases.close()
})

it('a sampled market is swept over several slots, with its coverage and the times of sights', async () => {
  const { postgres } = databases
  const source = sourceOfSampled(market)
  await keepToSource(postgres, source)
  await registerSources(postgres, ['vast'])
  const server = await startServer({ databases, snapshotInterval: sampledInterval })
  const coverageShown = async () => {
    await loadAll(databases)
    const { headers } = await server.get('/api/v0/metrics/gpu/current?verified=all')
    const { sources } = (await server.get('/api/v0/metrics/sources')).body as { sources: object[] }
    const { source } = (await server.get('/readyz')).body as { source: object }
    return { header: headers['rackrate-coverage'], source: sources[0], ready: source }
  }
  const first = market.time
  for (let index = 0; index < 7; index += 1) {
    market.time = first + index * sampledInterval
    const slot = first + index * sampledInterval
    await collect(databases, source, { slot, interval: sampledInterval })
    if (index === 0)
      expect(await coverageShown()).toMatchObject({
        header: expect.stringMatching(/^0\.[0-8]/),
        source: {
          coverage: { method: 'repeats', notice: expect.stringMatching(/has about \d+ % of the market/) },
        },
        ready: { notice: expect.stringMatching(/Counts are of the machines that were seen/) },
      })
  }
  const { rows } = await postgres.query('SELECT share, machines, method, age FROM coverage ORDER BY slot')
  expect(rows).toHaveLength(7)
  expect(rows[0]?.share).toBeLessThan(0.9)
  expect(rows[6]).toMatchObject({ method: 'repeats', share: 1, machines: market.truth().size })
  expect(rows[6]?.age).toBeGreaterThan(0)
  // The answer of the first slot may be repeated for a second.
  await expect.poll(coverageShown).toMatchObject({
    header: '1.000',
    source: { coverage: { share: 1, notice: null } },
    ready: { coverage: { share: 1 } },
  })
  // The times between sights are in the observations and in the flows.
  const [carried] = await selectRows<{ longest: number }>(
    databases.clickhouse,
    'SELECT max(carried) AS longest FROM observations',
  )
  expect(carried?.longest).toBeGreaterThan(0)
  const [gaps] = await selectRows<{ exposed: number; both: number }>(
    databases.clickhouse,
    'SELECT sum(exposure_gap) AS exposed, sum(mixed_gap) AS both FROM flows FINAL',
  )
  expect(gaps?.exposed).toBeGreaterThan(0)
  expect(await check(databases, await seriesRange(databases.clickhouse))).toMatchObject({ problems: [] })
  await server.app.close()
  const machines = await postgres.query('SELECT key FROM sweep_machines')
  expect(machines.rowCount).toBe(market.truth().size)
  expect(market.refused).toBe(0)
})
