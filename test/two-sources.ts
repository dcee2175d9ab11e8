import { readConfig } from '../cli/config.ts'
import { openMarket } from '../cli/markets.ts'
import { collect } from '../collect/collect.ts'
import { openSource } from '../collect/open-source.ts'
import { keepToSource } from '../collect/site-source.ts'
import { registerSources } from '../collect/sources.ts'
import { check, seriesRange } from '../ingest/check.ts'
import { loadAll } from '../ingest/load.ts'
import { execute, selectRows } from '../platform/stores/clickhouse.ts'
import type { Stores } from '../platform/stores/stores.ts'
import { freshDatabases } from './database.ts'
import { openStandIn, rigsAt } from './stand-in.ts'

const interval = 300
const first = 1_795_000_200
const slotAt = (index: number) => first + index * interval

/** A site with two sources, exporter (40 machines) and vast (60 machines, twice as dear), on databases of its own. */
export async function openTwoSources() {
  const databases = await freshDatabases()
  const standIn = await openStandIn()
  const other = await openStandIn()
  await registerSources(databases.postgres, ['exporter', 'vast'])
  const stores = await openMarket(readConfig({ SNAPSHOT_INTERVAL: `${interval}` }), databases, 'vast')
  const market = { ...stores, name: 'vast', isCollected: true }
  const source = openSource(`exporter=${standIn.url}`, {})
  const otherSource = openSource(`vast=${other.url}`, {})
  await keepToSource(databases.postgres, source)
  await keepToSource(market.postgres, otherSource)
  return {
    databases,
    market,
    standIn,
    other,
    source,
    slotAt,
    /** Collects a slot from both sources. `rigs`: the machines that the second one lists. */
    async take(index: number, rigs = dearRigs(index)): Promise<void> {
      Object.assign(standIn, { rigs: rigsAt(40, index), time: slotAt(index) })
      other.rigs = rigs
      await collect(databases, source, { slot: slotAt(index), interval })
      await collect(market, otherSource, { slot: slotAt(index), interval })
    },
    async load(): Promise<void> {
      await loadAll(databases)
      await loadAll(market)
    },
    /** The slots that readers of each market see. */
    slots: () => Promise.all([databases, market].map(slotsOf)),
    /** The problems that the check finds in each market. */
    checks: () =>
      Promise.all(
        [databases, market].map(
          async (stores) => (await check(stores, await seriesRange(stores.clickhouse))).problems,
        ),
      ),
    async close(): Promise<void> {
      standIn.close()
      other.close()
      await execute(market.clickhouse, 'DROP DATABASE {name:Identifier}/*! ON CLUSTER $cluster*/', {
        name: market.clickhouseAddress.database,
      })
      await market.close()
      const name = new URL(market.queues.databaseUrl).pathname.slice(1)
      await databases.postgres.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await databases.close()
    },
  }
}

const dearRigs = (index: number) => rigsAt(60, index).map((rig) => ({ ...rig, price: rig.price * 2 }))

/** The result of the check for two correct markets. */
export const nothingWrong = [[], []]

async function slotsOf({ clickhouse }: Stores): Promise<number[]> {
  const query = 'SELECT toUnixTimestamp(slot) AS slot FROM slots FINAL WHERE ready ORDER BY slot'
  const rows = await selectRows<{ slot: number }>(clickhouse, query)
  return rows.map(({ slot }) => (slot - first) / interval)
}
