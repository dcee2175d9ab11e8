import type { FastifyInstance } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { type SourceOfRoutes, serveSource } from '../../platform/http/source-routes.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'
import { availabilityRoute } from './availability/route.ts'
import { churnRoute } from './churn/route.ts'
import { forgetMachineCostsRoute } from './costs/forget-machine-route.ts'
import { readCostsRoute } from './costs/read-route.ts'
import { openCostBook } from './costs/stored.ts'
import { writeMachineCostsRoute } from './costs/write-machine-route.ts'
import { writeCostsRoute } from './costs/write-route.ts'
import { currentRoute } from './current/route.ts'
import { type DataRouteOptions, dataRoute } from './data/route.ts'
import { depthRoute } from './depth/route.ts'
import { dispersionRoute } from './dispersion/route.ts'
import { eventsRoute } from './events/route.ts'
import { exporterRoute } from './exporter/route.ts'
import { fillByTermsRoute } from './fill/by-terms.ts'
import { fillRoute } from './fill/route.ts'
import { forecastRoute } from './forecast/route.ts'
import { historyRoute } from './history/route.ts'
import { liveRoute } from './live/route.ts'
import { locationsRoute } from './locations/route.ts'
import { openOwnMachines } from './machines/own-machines.ts'
import { machinesRoute } from './machines/route.ts'
import { namesRoute } from './names/route.ts'
import { indexRoute } from './price-index/route.ts'
import { pricesRoute } from './prices/route.ts'
import type { MarketOptions } from './question/answers.ts'
import { replayRoute } from './replay/route.ts'
import { revenueRoute } from './revenue/route.ts'
import { termsRoute } from './terms/route.ts'
import { thinRoute } from './thin/route.ts'
import { timeToRentRoute } from './time-to-rent/route.ts'

/** What the endpoints of one market work with. */
export interface MarketOfSource extends MarketOptions, SourceOfRoutes {
  postgres: Postgres
  /** The site's main database: it has its accounts, and what they enter. */
  site: Postgres
  /** Whether /metrics/global needs no key. */
  isOpen: boolean
  /** Where files of open data are, and who may read them; undefined: nobody. */
  openData?: DataRouteOptions | undefined
}

const questionRoutes = [
  historyRoute,
  currentRoute,
  depthRoute,
  pricesRoute,
  availabilityRoute,
  revenueRoute,
  indexRoute,
  churnRoute,
  dispersionRoute,
  eventsRoute,
  fillRoute,
  fillByTermsRoute,
  timeToRentRoute,
  thinRoute,
  forecastRoute,
  termsRoute,
]

const costRoutes = [readCostsRoute, writeCostsRoute, writeMachineCostsRoute, forgetMachineCostsRoute]

/** The endpoints of one market. Each source has its own, with its own databases, caches and streams. */
export const marketRoutes: FastifyPluginAsyncZod<MarketOfSource> = async (app, options) => {
  serveSource(app as unknown as FastifyInstance, options)
  const { openData, isOpen, ...market } = options
  const { postgres, clickhouse, series, clock } = market
  const own = openOwnMachines(market)
  const costs = openCostBook({ ...market, own })
  for (const route of questionRoutes) await app.register(route, market)
  await app.register(locationsRoute, market)
  await app.register(namesRoute, { series, clock })
  await app.register(liveRoute, { postgres, series })
  await app.register(exporterRoute, { clickhouse, series, isOpen })
  const forOwn = { ...market, own, costs }
  await app.register(machinesRoute, forOwn)
  await app.register(replayRoute, forOwn)
  for (const route of costRoutes) await app.register(route, { costs })
  if (openData) await app.register(dataRoute, openData)
}
