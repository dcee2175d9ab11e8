import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { listSources } from '../collect/sources.ts'
import { pages } from '../contract/pages.ts'
import type { Clock } from '../platform/clock.ts'
import { buildServer, type ServerOptions } from '../platform/http/server.ts'
import type { AdHocClients } from '../platform/stores/clickhouse.ts'
import type { Alerts } from './alerts/context.ts'
import { alertRoutes } from './alerts/routes.ts'
import type { Autopilot } from './autopilot/context.ts'
import { autopilotRoutes } from './autopilot/routes.ts'
import type { Companion } from './companion/context.ts'
import { companionRoutes } from './companion/routes.ts'
import { currentUserRoute } from './current-user/route.ts'
import { findClaimRoute } from './hosts/claims/find-route.ts'
import { forgetClaimRoute } from './hosts/claims/forget-route.ts'
import { readClaimsRoute } from './hosts/claims/read-route.ts'
import { writeClaimRoute } from './hosts/claims/write-route.ts'
import { listPricesRoute } from './market/list-prices/route.ts'
import type { MarketOptions } from './market/market-query/answers.ts'
import { type SeriesView, watchSeries } from './market/market-query/series.ts'
import { type QueueReader, recordingRoute } from './market/recording/route.ts'
import { sourcesRoute } from './market/sources/route.ts'
import { type MarketOfSource, marketRoutes } from './market-routes.ts'
import { mcpRoute } from './mcp/route.ts'
import { createShareRoute } from './publish/shares/create-route.ts'
import { listSharesRoute } from './publish/shares/list-route.ts'
import { sharedPageRoute } from './publish/shares/page-route.ts'
import { sharedPictureRoute } from './publish/shares/picture-route.ts'
import { readSharedRoute } from './publish/shares/read-route.ts'
import { revokeShareRoute } from './publish/shares/revoke-route.ts'
import { webRoute } from './publish/web/route.ts'
import { openRuleMarket } from './rules/markets.ts'
import { auditedSqlRoute } from './sql/audited-route.ts'
import { openCosts } from './sql/costs.ts'
import { changeDashboardRoute } from './sql/dashboards/change-route.ts'
import { createDashboardRoute } from './sql/dashboards/create-route.ts'
import { deleteDashboardRoute } from './sql/dashboards/delete-route.ts'
import { getDashboardRoute } from './sql/dashboards/get-route.ts'
import { listDashboardsRoute } from './sql/dashboards/list-route.ts'
import { deleteSavedSqlRoute } from './sql/delete-saved-route.ts'
import { sqlDownloadRoute } from './sql/download-route.ts'
import { runSqlRoute } from './sql/run-route.ts'
import { saveSqlRoute } from './sql/save-route.ts'
import { savedSqlRoute } from './sql/saved-route.ts'
import { sqlSchemaRoute } from './sql/schema-route.ts'
import type { SqlOptions } from './sql/send.ts'
import { sqlTicketRoute } from './sql/ticket-route.ts'

/** The market of a source that is not the first. */
export type OtherSource = Pick<MarketOfSource, 'postgres' | 'clickhouse' | 'openData'> & { name: string }

/** The services to serve, each with its settings besides the databases. */
export interface Services {
  metrics?: {
    /** Milliseconds that the state of the series is cached. Default: one second. */
    seriesMaxAgeMs?: number
    /** True if /metrics/global needs no key. Default: false. */
    openMarketMetrics?: boolean
    /** The clients for ad hoc SQL; undefined: there is no account for it. */
    adHoc: AdHocClients | undefined
    /** The folder of open-data files, and their readers; undefined: they are not served. */
    openData?: MarketOfSource['openData']
    /** The markets of all sources except the first. */
    markets?: readonly OtherSource[]
    /** The states of the queues; undefined: this process cannot read them. */
    queues?: QueueReader | undefined
  }
  companion?: Omit<Companion, 'postgres' | 'clock'>
  /** Rules on the figures of the market. They need the metrics service. */
  alerts?: Omit<Alerts, 'postgres' | 'clock' | 'markets' | 'snapshotInterval'> &
    Pick<Autopilot, 'autopilotCommand'>
}

interface SqlRouteOptions extends SqlOptions {
  postgres: ServerOptions['postgres']
  clickhouse: ServerOptions['clickhouse']
  clock: Clock
  series: SeriesView
  /** The markets of all sources except the first. */
  markets: readonly OtherSource[]
}

const sqlRoutes: FastifyPluginAsyncZod<SqlRouteOptions>[] = [
  runSqlRoute,
  sqlSchemaRoute,
  auditedSqlRoute,
  savedSqlRoute,
  saveSqlRoute,
  deleteSavedSqlRoute,
  sqlTicketRoute,
  sqlDownloadRoute,
  listDashboardsRoute,
  getDashboardRoute,
  createDashboardRoute,
  changeDashboardRoute,
  deleteDashboardRoute,
]

const claimRoutes = [readClaimsRoute, writeClaimRoute, forgetClaimRoute, findClaimRoute]

const shareRoutes = [
  createShareRoute,
  listSharesRoute,
  revokeShareRoute,
  readSharedRoute,
  sharedPictureRoute,
  sharedPageRoute,
]

/** Builds the HTTP server with the routes of the services. The caller opens and closes the databases. */
export async function buildApp(options: ServerOptions, { metrics, companion, alerts }: Services) {
  const app = await buildServer(options)
  const { postgres, clickhouse, clock, snapshotInterval } = options
  await app.register(currentUserRoute, { postgres, openData: metrics?.openData?.access ?? null })
  if (metrics) {
    const {
      seriesMaxAgeMs,
      adHoc,
      openData,
      openMarketMetrics: isOpen = false,
      markets = [],
      queues,
    } = metrics
    const series = watchSeries(postgres, clickhouse, seriesMaxAgeMs)
    const known = async () => {
      const first = (await listSources(postgres)).filter(({ is_first }) => is_first)
      return [...first, ...markets].map(({ name }) => name)
    }
    const market = { postgres, clickhouse, clock, series, snapshotInterval }
    const shared = { clock, snapshotInterval, isOpen, known, markets: 1 + markets.length, site: postgres }
    await app.register(marketRoutes, { ...market, ...shared, openData })
    const others = new Map<string, MarketOptions & { postgres: MarketOfSource['postgres'] }>()
    const main = { postgres, clickhouse }
    const watched = [openRuleMarket(main, { postgres, clickhouse, source: null, series })]
    for (const { name: source, ...other } of markets) {
      const series = watchSeries(other.postgres, other.clickhouse, seriesMaxAgeMs)
      others.set(source, { ...shared, ...other, series })
      watched.push(openRuleMarket(main, { ...other, source, series }))
      await app.register(marketRoutes, { ...other, ...shared, series, source })
    }
    await app.register(sourcesRoute, { postgres, markets })
    await app.register(recordingRoute, { postgres, clickhouse, clock, markets, queues })
    const claiming = { postgres, first: market, others, clock, vault: options.vault }
    for (const route of claimRoutes) await app.register(route, claiming)
    const rules = { postgres, clock, snapshotInterval, markets: { all: watched, known } }
    if (alerts) for (const route of alertRoutes) await app.register(route, { ...alerts, ...rules })
    if (alerts) for (const route of autopilotRoutes) await app.register(route, { ...alerts, ...rules })
    await app.register(listPricesRoute, { postgres, clickhouse, clock })
    const sql = adHoc && { ...adHoc, postgres, costs: openCosts(postgres, adHoc.operator) }
    app.addHook('onClose', async () => sql?.costs.close())
    const forSql = { postgres, clickhouse, clock, series, markets, sql }
    for (const route of sqlRoutes) await app.register(route, forSql)
    await app.register(mcpRoute, { clock })
    const { publicUrl, vault } = options
    const sharing = { ...market, ...shared, vault, publicUrl, others }
    for (const route of shareRoutes) await app.register(route, sharing)
  }
  // The reference of the API covers every service.
  await app.register(webRoute, { served: metrics ? pages : { docs: pages.docs } })
  if (companion) {
    for (const route of companionRoutes) await app.register(route, { ...companion, postgres, clock })
  }
  return app
}
