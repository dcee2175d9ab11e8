import { buildServer, type ServerOptions } from '../platform/http/server.ts'
import type { ClickHouse } from '../platform/stores/clickhouse.ts'
import { cloudRoute } from './companion/cloud/route.ts'
import { hostTasksRoute } from './companion/copytool/host-route.ts'
import { copytoolRoute } from './companion/copytool/route.ts'
import { keysRoute } from './companion/keys/route.ts'
import type { CompanionOptions } from './companion/options.ts'
import { scheduleRoute } from './companion/schedule/route.ts'
import { sshRoute } from './companion/ssh/route.ts'
import { teamMembersRoute } from './companion/team/members-route.ts'
import { teamRolesRoute } from './companion/team/roles-route.ts'
import { teamRoute } from './companion/team/team-route.ts'
import { templatesRoute } from './companion/templates/route.ts'
import { backupCodesRoute } from './companion/tfa/backup-codes-route.ts'
import { tfaEmailRoute } from './companion/tfa/email-route.ts'
import { tfaEnrolRoute } from './companion/tfa/enrol-route.ts'
import { tfaMethodsRoute } from './companion/tfa/methods-route.ts'
import { volumesRoute } from './companion/volumes/route.ts'
import { callerRoute } from './current-user/route.ts'
import { historyRoute } from './metrics/history/route.ts'
import { machinesRoute } from './metrics/machines/route.ts'
import { namesRoute } from './metrics/names/route.ts'
import { watchSeries } from './metrics/series-state.ts'
import { sqlDownloadsRoute } from './metrics/sql/downloads-route.ts'
import { sqlRoute } from './metrics/sql/route.ts'
import { webRoute } from './metrics/web/route.ts'

/** Which of the two services are served, each with what it needs besides the databases. */
export interface Services {
  metrics?: {
    /** Seconds between slots. */
    snapshotInterval: number
    /** How old the shared view of the series may be; a second unless given. */
    seriesMaxAgeMs?: number
    /** The account for ad hoc SQL; undefined: there is none. */
    analyst: ClickHouse | undefined
  }
  companion?: Omit<CompanionOptions, 'postgres'>
}

const companionRoutes = [
  volumesRoute,
  copytoolRoute,
  hostTasksRoute,
  cloudRoute,
  tfaEmailRoute,
  backupCodesRoute,
  tfaEnrolRoute,
  tfaMethodsRoute,
  templatesRoute,
  teamRoute,
  teamRolesRoute,
  teamMembersRoute,
  scheduleRoute,
  sshRoute,
  keysRoute,
]

/** Composes the services under one base URL. The databases are the caller's to open and to close. */
export async function buildApp(options: ServerOptions, { metrics, companion }: Services) {
  const app = await buildServer(options)
  const { postgres, clickhouse } = options
  await app.register(callerRoute, { postgres })
  if (metrics) {
    const { snapshotInterval, seriesMaxAgeMs, analyst } = metrics
    const series = watchSeries(postgres, clickhouse, seriesMaxAgeMs)
    await app.register(historyRoute, { clickhouse, series, snapshotInterval })
    await app.register(namesRoute, { series })
    await app.register(machinesRoute, { postgres, clickhouse, series })
    await app.register(sqlRoute, { postgres, clickhouse, analyst, series })
    await app.register(sqlDownloadsRoute, { postgres, clickhouse, analyst })
    await app.register(webRoute)
  }
  if (companion) {
    for (const route of companionRoutes) await app.register(route, { ...companion, postgres })
  }
  return app
}
