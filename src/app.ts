import { sshRoute } from './companion/ssh/route.ts'
import { teamRoleRoute } from './companion/team/role-route.ts'
import { historyRoute } from './metrics/history/route.ts'
import { namesRoute } from './metrics/names/route.ts'
import { watchSeries } from './metrics/series-state.ts'
import { buildServer, type ServerOptions } from './platform/http.ts'

export interface AppOptions extends ServerOptions {
  /** Seconds between slots. */
  snapshotInterval: number
  /** How old the shared view of the series may be; a second unless given. */
  seriesMaxAgeMs?: number
}

/** Which of the two services this process serves. */
export interface Services {
  metrics: boolean
  companion: boolean
}

/** Composes the services under one base URL. The databases are the caller's to open and to close. */
export async function buildApp(options: AppOptions, services: Services) {
  const app = await buildServer(options)
  const { postgres, clickhouse, snapshotInterval } = options
  if (services.metrics) {
    const series = watchSeries(clickhouse, options.seriesMaxAgeMs)
    await app.register(historyRoute, { clickhouse, series, snapshotInterval })
    await app.register(namesRoute, { series })
  }
  if (services.companion) {
    await app.register(sshRoute, { postgres })
    await app.register(teamRoleRoute, { postgres })
  }
  return app
}
