import type { FastifyInstance } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { type SourceOfRoutes, serveSource } from '../platform/http/source-routes.ts'
import type { Postgres } from '../platform/stores/postgres.ts'
import { fleetAdviceRoute } from './hosts/advice/fleet-route.ts'
import { adviceRecordRoute } from './hosts/advice/record-route.ts'
import { forgetMachineCostsRoute } from './hosts/costs/forget-machine-route.ts'
import { readCostsRoute } from './hosts/costs/read-route.ts'
import { openCostBook } from './hosts/costs/stored.ts'
import { writeMachineCostsRoute } from './hosts/costs/write-machine-route.ts'
import { writeCostsRoute } from './hosts/costs/write-route.ts'
import { ownIncomeRoute } from './hosts/income/route.ts'
import { openFleetAdvice } from './hosts/machines/fleet-advice.ts'
import { openOwnMachines } from './hosts/machines/own-machines.ts'
import { openFits } from './hosts/machines/pooled/known-market.ts'
import { machinesRoute } from './hosts/machines/route.ts'
import { replayRoute } from './hosts/replay/route.ts'
import { startPriceRoute } from './hosts/start/route.ts'
import { termAdviceRoute } from './hosts/term-advice/route.ts'
import { availabilityRoute } from './market/availability/route.ts'
import { churnRoute } from './market/churn/route.ts'
import { currentRoute } from './market/current/route.ts'
import { depthRoute } from './market/depth/route.ts'
import { dispersionRoute } from './market/dispersion/route.ts'
import { eventsRoute } from './market/events/route.ts'
import { fillByTermsRoute } from './market/fill/by-terms.ts'
import { fillRoute } from './market/fill/route.ts'
import { forecastRoute } from './market/forecast/route.ts'
import { historyRoute } from './market/history/route.ts'
import { incomeByTermsRoute } from './market/income-by-terms/route.ts'
import { placesRoute } from './market/locations/places.ts'
import { locationsRoute } from './market/locations/route.ts'
import type { MarketOptions } from './market/market-query/answers.ts'
import { namesRoute } from './market/names/route.ts'
import { gpuTypesRoute } from './market/names/types-route.ts'
import { uniqueNamesRoute } from './market/names/unique-route.ts'
import { offersRoute } from './market/offers/route.ts'
import { officialRoute } from './market/official/route.ts'
import { indexRoute } from './market/price-index/route.ts'
import { pricesRoute } from './market/prices/route.ts'
import { rentalHoursRoute } from './market/rental-hours/route.ts'
import { returnsRoute } from './market/returns/route.ts'
import { revenueRoute } from './market/revenue/route.ts'
import { termsRoute } from './market/terms/route.ts'
import { thinRoute } from './market/thin/route.ts'
import { tiersRoute } from './market/tiers/route.ts'
import { timeToRentRoute } from './market/time-to-rent/route.ts'
import { worthRoute } from './market/worth/route.ts'
import { type DataRouteOptions, dataRoute } from './publish/data/route.ts'
import { exporterRoute } from './publish/exporter/route.ts'
import { liveRoute } from './publish/live/route.ts'

/** The databases and settings of one market's endpoints. */
export interface MarketOfSource extends MarketOptions, SourceOfRoutes {
  postgres: Postgres
  /** The site's main database. It has the accounts and the data that they enter. */
  site: Postgres
  /** True if /metrics/global needs no key. */
  isOpen: boolean
  /** The folder of open-data files, and their readers; undefined: they are not served. */
  openData?: DataRouteOptions | undefined
}

const questionRoutes = [
  historyRoute,
  currentRoute,
  offersRoute,
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
  rentalHoursRoute,
  thinRoute,
  tiersRoute,
  forecastRoute,
  termsRoute,
  placesRoute,
  returnsRoute,
  worthRoute,
  incomeByTermsRoute,
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
  await app.register(uniqueNamesRoute, { series })
  await app.register(officialRoute, { clickhouse, series, clock })
  await app.register(gpuTypesRoute)
  await app.register(liveRoute, { postgres, clickhouse, series })
  await app.register(exporterRoute, { clickhouse, series, isOpen })
  const fits = openFits({ postgres, clickhouse })
  const forOwn = { ...market, own, costs, adviseFleet: openFleetAdvice(fits, own) }
  await app.register(machinesRoute, forOwn)
  await app.register(fleetAdviceRoute, forOwn)
  await app.register(ownIncomeRoute, forOwn)
  await app.register(startPriceRoute, { ...forOwn, fits })
  await app.register(replayRoute, forOwn)
  await app.register(adviceRecordRoute, market)
  await app.register(termAdviceRoute, forOwn)
  for (const route of costRoutes) await app.register(route, { costs })
  if (openData) await app.register(dataRoute, openData)
}
