import { deleteAccountRoute } from './account/delete-route.ts'
import { exportAccountRoute } from './account/export-route.ts'
import { listChanges } from './changes/list-route.ts'
import { deleteCloudConnection } from './cloud/delete-connection.ts'
import { listCloudConnections } from './cloud/list-connections.ts'
import { saveCloudConnection } from './cloud/save-connection.ts'
import { appendLog } from './copytool/append-log.ts'
import { fetchTask } from './copytool/fetch-task.ts'
import { finishTask } from './copytool/finish-task.ts'
import { listWaitingTasks } from './copytool/list-waiting.ts'
import { readCopyLog } from './copytool/read-log.ts'
import { startCopy } from './copytool/start-copy.ts'
import { getInstance } from './instances/get-instance.ts'
import { listInstanceFilters } from './instances/list-filters.ts'
import { pageInstances } from './instances/page-instances.ts'
import { createApiKey } from './keys/create-key.ts'
import { getApiKey } from './keys/get-key.ts'
import { listApiKeys } from './keys/list-keys.ts'
import { resetApiKey } from './keys/reset-key.ts'
import { revokeApiKey } from './keys/revoke-key.ts'
import { getMachine } from './machines/get-machine.ts'
import { listMachines } from './machines/list-machines.ts'
import { pageMachines } from './machines/page-machines.ts'
import { scheduleJob } from './schedule/create-job.ts'
import { deleteJob } from './schedule/delete-job.ts'
import { listJobs } from './schedule/list-jobs.ts'
import { updateJob } from './schedule/update-job.ts'
import { askToSignIn } from './sign-in/ask.ts'
import { lookAtSignIn } from './sign-in/look.ts'
import { signInOffer } from './sign-in/offer.ts'
import { signIn } from './sign-in/sign-in.ts'
import { signOut } from './sign-in/sign-out.ts'
import { addSshKey } from './ssh/add-key.ts'
import { changeSshKey } from './ssh/change-key.ts'
import { deleteSshKey } from './ssh/delete-key.ts'
import { listSshKeys } from './ssh/list-keys.ts'
import { assignRole } from './team/assign-role.ts'
import { changeMemberRole } from './team/change-member-role.ts'
import { changeRole } from './team/change-role.ts'
import { createRole } from './team/create-role.ts'
import { createTeam } from './team/create-team.ts'
import { deleteRole } from './team/delete-role.ts'
import { deleteTeam } from './team/delete-team.ts'
import { getRole } from './team/get-role.ts'
import { inviteMember } from './team/invite-member.ts'
import { joinTeam } from './team/join.ts'
import { leaveTeam } from './team/leave.ts'
import { listInvitations } from './team/list-invitations.ts'
import { listMembers } from './team/list-members.ts'
import { listRoles } from './team/list-roles.ts'
import { listRolesFull } from './team/list-roles-full.ts'
import { listTeams } from './team/list-teams.ts'
import { removeMember } from './team/remove-member.ts'
import { renameTeam } from './team/rename-team.ts'
import { transferTeam } from './team/transfer-team.ts'
import { withdrawInvitation } from './team/withdraw-invitation.ts'
import { createTemplate } from './templates/create-template.ts'
import { deleteTemplate } from './templates/delete-template.ts'
import { editTemplate } from './templates/edit-template.ts'
import { listTemplates } from './templates/list-templates.ts'
import { saveTemplates } from './templates/save-templates.ts'
import { searchTemplates } from './templates/search-templates.ts'
import { authorizeNewMethod } from './tfa/authorize-new-method.ts'
import { confirmMethod } from './tfa/confirm-method.ts'
import { confirmNewMethod } from './tfa/confirm-new-method.ts'
import { grantNewMethod } from './tfa/grant-new-method.ts'
import { logInWithTfa } from './tfa/log-in.ts'
import { regenerateBackupCodes } from './tfa/regenerate-backup-codes.ts'
import { removeMethod } from './tfa/remove-method.ts'
import { resendSmsCode } from './tfa/resend-sms-code.ts'
import { sendEmailCode } from './tfa/send-email-code.ts'
import { sendSmsCode } from './tfa/send-sms-code.ts'
import { setUpTotp } from './tfa/set-up-totp.ts'
import { tfaStatus } from './tfa/status.ts'
import { updateMethod } from './tfa/update-method.ts'
import { listRentedVolumes } from './volumes/list-rented.ts'
import { listVolumes } from './volumes/list-volumes.ts'
import { offerVolumes } from './volumes/offer-volumes.ts'
import { searchVolumes } from './volumes/search-volumes.ts'
import { unlistVolume } from './volumes/unlist-volume.ts'

/** The routes of the account services. */
export const companionRoutes = [
  offerVolumes,
  listVolumes,
  unlistVolume,
  searchVolumes,
  listRentedVolumes,
  listMachines,
  getMachine,
  pageMachines,
  getInstance,
  pageInstances,
  listInstanceFilters,
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
  logInWithTfa,
  authorizeNewMethod,
  grantNewMethod,
  setUpTotp,
  sendSmsCode,
  resendSmsCode,
  confirmMethod,
  confirmNewMethod,
  tfaStatus,
  updateMethod,
  removeMethod,
  saveTemplates,
  listTemplates,
  searchTemplates,
  createTemplate,
  editTemplate,
  deleteTemplate,
  createTeam,
  listTeams,
  renameTeam,
  transferTeam,
  deleteTeam,
  getRole,
  listRoles,
  listRolesFull,
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
  signInOffer,
  askToSignIn,
  lookAtSignIn,
  signIn,
  signOut,
  listApiKeys,
  getApiKey,
  resetApiKey,
  createApiKey,
  revokeApiKey,
  exportAccountRoute,
  deleteAccountRoute,
  listChanges,
]
