import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { buildServer, type ServerOptions } from '../platform/http/server.ts'
import type { AdHocClients } from '../platform/stores/clickhouse.ts'
import { deleteCloudConnection } from './companion/cloud/delete-connection.ts'
import { listCloudConnections } from './companion/cloud/list-connections.ts'
import { saveCloudConnection } from './companion/cloud/save-connection.ts'
import type { Companion } from './companion/context.ts'
import { appendLog } from './companion/copytool/append-log.ts'
import { fetchTask } from './companion/copytool/fetch-task.ts'
import { finishTask } from './companion/copytool/finish-task.ts'
import { listWaitingTasks } from './companion/copytool/list-waiting.ts'
import { readCopyLog } from './companion/copytool/read-log.ts'
import { startCopy } from './companion/copytool/start-copy.ts'
import { createApiKey } from './companion/keys/create-key.ts'
import { listApiKeys } from './companion/keys/list-keys.ts'
import { revokeApiKey } from './companion/keys/revoke-key.ts'
import { scheduleJob } from './companion/schedule/create-job.ts'
import { deleteJob } from './companion/schedule/delete-job.ts'
import { listJobs } from './companion/schedule/list-jobs.ts'
import { updateJob } from './companion/schedule/update-job.ts'
import { addSshKey } from './companion/ssh/add-key.ts'
import { changeSshKey } from './companion/ssh/change-key.ts'
import { deleteSshKey } from './companion/ssh/delete-key.ts'
import { listSshKeys } from './companion/ssh/list-keys.ts'
import { assignRole } from './companion/team/assign-role.ts'
import { changeMemberRole } from './companion/team/change-member-role.ts'
import { changeRole } from './companion/team/change-role.ts'
import { createRole } from './companion/team/create-role.ts'
import { createTeam } from './companion/team/create-team.ts'
import { deleteRole } from './companion/team/delete-role.ts'
import { deleteTeam } from './companion/team/delete-team.ts'
import { getRole } from './companion/team/get-role.ts'
import { inviteMember } from './companion/team/invite-member.ts'
import { joinTeam } from './companion/team/join.ts'
import { leaveTeam } from './companion/team/leave.ts'
import { listInvitations } from './companion/team/list-invitations.ts'
import { listMembers } from './companion/team/list-members.ts'
import { listRoles } from './companion/team/list-roles.ts'
import { listTeams } from './companion/team/list-teams.ts'
import { removeMember } from './companion/team/remove-member.ts'
import { renameTeam } from './companion/team/rename-team.ts'
import { withdrawInvitation } from './companion/team/withdraw-invitation.ts'
import { deleteTemplate } from './companion/templates/delete-template.ts'
import { listTemplates } from './companion/templates/list-templates.ts'
import { saveTemplates } from './companion/templates/save-templates.ts'
import { confirmMethod } from './companion/tfa/confirm-method.ts'
import { regenerateBackupCodes } from './companion/tfa/regenerate-backup-codes.ts'
import { removeMethod } from './companion/tfa/remove-method.ts'
import { resendSmsCode } from './companion/tfa/resend-sms-code.ts'
import { sendEmailCode } from './companion/tfa/send-email-code.ts'
import { sendSmsCode } from './companion/tfa/send-sms-code.ts'
import { setUpTotp } from './companion/tfa/set-up-totp.ts'
import { tfaStatus } from './companion/tfa/status.ts'
import { listVolumes } from './companion/volumes/list-volumes.ts'
import { offerVolumes } from './companion/volumes/offer-volumes.ts'
import { unlistVolume } from './companion/volumes/unlist-volume.ts'
import { currentUserRoute } from './current-user/route.ts'
import { availabilityRoute } from './metrics/availability/route.ts'
import { currentRoute } from './metrics/current/route.ts'
import { depthRoute } from './metrics/depth/route.ts'
import { historyRoute } from './metrics/history/route.ts'
import { machinesRoute } from './metrics/machines/route.ts'
import { namesRoute } from './metrics/names/route.ts'
import { pricesRoute } from './metrics/prices/route.ts'
import { revenueRoute } from './metrics/revenue/route.ts'
import { type Series, watchSeries } from './metrics/series-state.ts'
import { auditedSqlRoute } from './metrics/sql/audited-route.ts'
import { openCosts } from './metrics/sql/costs.ts'
import { deleteSavedSqlRoute } from './metrics/sql/delete-saved-route.ts'
import { sqlDownloadRoute } from './metrics/sql/download-route.ts'
import { runSqlRoute } from './metrics/sql/run-route.ts'
import { saveSqlRoute } from './metrics/sql/save-route.ts'
import { savedSqlRoute } from './metrics/sql/saved-route.ts'
import { sqlSchemaRoute } from './metrics/sql/schema-route.ts'
import type { SqlOptions } from './metrics/sql/send.ts'
import { sqlTicketRoute } from './metrics/sql/ticket-route.ts'
import { webRoute } from './metrics/web/route.ts'

/** The services to serve, each with what it needs beside the databases. */
export interface Services {
  metrics?: {
    /** How long the state of the series is cached. Default: one second. */
    seriesMaxAgeMs?: number
    /** For ad hoc SQL; undefined: there is no account for it. */
    adHoc: AdHocClients | undefined
  }
  companion?: Omit<Companion, 'postgres'>
}

interface SqlRouteOptions extends SqlOptions {
  postgres: ServerOptions['postgres']
  clickhouse: ServerOptions['clickhouse']
  series: Series
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
]

const companionRoutes = [
  offerVolumes,
  listVolumes,
  unlistVolume,
  startCopy,
  readCopyLog,
  listWaitingTasks,
  fetchTask,
  appendLog,
  finishTask,
  listCloudConnections,
  saveCloudConnection,
  deleteCloudConnection,
  sendEmailCode,
  regenerateBackupCodes,
  setUpTotp,
  sendSmsCode,
  resendSmsCode,
  confirmMethod,
  tfaStatus,
  removeMethod,
  saveTemplates,
  listTemplates,
  deleteTemplate,
  createTeam,
  listTeams,
  renameTeam,
  deleteTeam,
  getRole,
  listRoles,
  createRole,
  changeRole,
  deleteRole,
  assignRole,
  changeMemberRole,
  listMembers,
  removeMember,
  inviteMember,
  listInvitations,
  withdrawInvitation,
  joinTeam,
  leaveTeam,
  updateJob,
  scheduleJob,
  listJobs,
  deleteJob,
  listSshKeys,
  addSshKey,
  changeSshKey,
  deleteSshKey,
  listApiKeys,
  createApiKey,
  revokeApiKey,
]

const marketRoutes = [historyRoute, currentRoute, depthRoute, pricesRoute, availabilityRoute, revenueRoute]

/** Builds the HTTP server with the routes of the services. The caller opens and closes the databases. */
export async function buildApp(options: ServerOptions, { metrics, companion }: Services) {
  const app = await buildServer(options)
  const { postgres, clickhouse, snapshotInterval } = options
  await app.register(currentUserRoute, { postgres })
  if (metrics) {
    const { seriesMaxAgeMs, adHoc } = metrics
    const series = watchSeries(postgres, clickhouse, seriesMaxAgeMs)
    for (const route of marketRoutes) await app.register(route, { clickhouse, series, snapshotInterval })
    await app.register(namesRoute, { series })
    await app.register(machinesRoute, { postgres, clickhouse, series })
    const sql = adHoc && { ...adHoc, postgres, costs: openCosts(postgres, adHoc.operator) }
    app.addHook('onClose', async () => sql?.costs.close())
    for (const route of sqlRoutes) await app.register(route, { postgres, clickhouse, series, sql })
    await app.register(webRoute)
  }
  if (companion) {
    for (const route of companionRoutes) await app.register(route, { ...companion, postgres })
  }
  return app
}
