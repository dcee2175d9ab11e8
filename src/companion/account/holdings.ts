/** Rows of a table that belong to an account ($1). Bytes are hashes and encrypted secrets, and are never exported. */
export interface Holding {
  table: string
  /** The condition for its rows. */
  rows: string
  /** The name in an export. Default: the table's. */
  name?: string
  /** Columns that are not exported. */
  without?: readonly string[]
  /** The reason why the rows are not exported. */
  notExported?: string
  /** The reason why the rows stay when the account is deleted. Otherwise they are deleted. */
  stays?: string
  /** The condition for the rows that are deleted, where it is not `rows`. */
  deleted?: string
}

const own = 'account_id = $1'
const ofMachines = 'machine_id IN (SELECT id FROM machines WHERE account_id = $1)'
const ofClaimKeys = 'key_id IN (SELECT id FROM claim_keys WHERE account_id = $1)'
const ofKeys = 'IN (SELECT id FROM api_keys WHERE account_id = $1 OR created_by = $1)'
const ofAddress = '(SELECT lower(email) FROM accounts WHERE id = $1 AND email_verified)'
const books = 'The books of the marketplace: snapshots and the other side of a rental refer to them'
const codes = 'Codes and hashes that prove who somebody is'
const usedByOthers =
  'EXISTS (SELECT FROM template_library l WHERE l.template_id = templates.id AND l.account_id <> $1)'

/**
 * All tables that have something of an account, with the tables that they refer to before them: an account is deleted from the
 * last to the first. test/real/account-data.test.ts fails when a table is missing.
 */
export const holdings: readonly Holding[] = [
  {
    table: 'accounts',
    rows: 'id = $1',
    stays: 'Rentals and the audit refer to its number. Name, addresses and rights are erased',
  },
  { table: 'teams', rows: `${own} OR owner_id = $1` },
  { table: 'roles', rows: 'team_id = $1' },
  { table: 'team_members', rows: 'team_id = $1 OR user_id = $1' },
  { table: 'team_invitations', rows: `team_id = $1 OR email = ${ofAddress}` },
  { table: 'api_keys', rows: `${own} OR created_by = $1` },
  { table: 'sign_in_codes', rows: own, notExported: codes },
  { table: 'sign_in_short_codes', rows: own, notExported: codes },
  {
    table: 'idempotent_answers',
    rows: `api_key_id ${ofKeys}`,
    notExported: 'Encrypted copies of answers, for a day',
  },
  { table: 'machines', rows: own, stays: books },
  { table: 'gpu_listings', rows: ofMachines, stays: books },
  { table: 'contracts', rows: own, stays: books },
  {
    table: 'contracts',
    rows: ofMachines,
    name: 'contracts_of_machines',
    without: ['account_id'],
    stays: books,
  },
  { table: 'gpu_holds', rows: ofMachines, stays: books },
  { table: 'volume_listings', rows: ofMachines, stays: books },
  { table: 'volume_contracts', rows: own, stays: books },
  {
    table: 'volume_contracts',
    rows: ofMachines,
    name: 'volume_contracts_of_machines',
    without: ['account_id'],
    stays: books,
  },
  { table: 'machine_costs', rows: own },
  { table: 'tfa_methods', rows: own },
  { table: 'tfa_challenges', rows: own, notExported: codes },
  { table: 'tfa_authorizations', rows: own, notExported: codes },
  { table: 'tfa_failures', rows: own },
  { table: 'backup_codes', rows: own },
  { table: 'cloud_connections', rows: own },
  {
    table: 'templates',
    rows: 'creator_id = $1',
    deleted: `creator_id = $1 AND NOT ${usedByOthers}`,
    stays: 'Templates in the library of another account stay, without the login of their registry',
  },
  { table: 'template_library', rows: own },
  { table: 'scheduled_jobs', rows: own },
  { table: 'scheduled_job_runs', rows: 'job_id IN (SELECT id FROM scheduled_jobs WHERE account_id = $1)' },
  { table: 'ssh_keys', rows: own },
  { table: 'host_tasks', rows: own, without: ['log_held'] },
  {
    table: 'outbox',
    rows: `sender_id = $1 OR lower(recipient) = ${ofAddress}`,
    notExported: 'Messages on their way. Their text is encrypted, and erased when they are sent',
  },
  { table: 'claims', rows: own },
  { table: 'source_costs', rows: own },
  { table: 'claim_keys', rows: own, without: ['place'] },
  { table: 'claim_machines', rows: ofClaimKeys },
  { table: 'claim_earnings', rows: ofClaimKeys },
  { table: 'claim_shares', rows: ofClaimKeys },
  { table: 'sql_queries', rows: own, stays: 'The audit of ad hoc SQL' },
  {
    table: 'changes',
    rows: own,
    stays: 'The audit of changes: who changed which object and when. What was changed is erased',
  },
  { table: 'saved_queries', rows: own },
  { table: 'sql_downloads', rows: `key_id ${ofKeys}`, notExported: codes },
  {
    table: 'dashboards',
    rows: 'updated_by = $1',
    notExported: 'Dashboards belong to the site',
    stays: 'Dashboards belong to the site. They stay without the name of their last author',
  },
  { table: 'alert_rules', rows: own },
  { table: 'alert_messages', rows: 'rule_id IN (SELECT id FROM alert_rules WHERE account_id = $1)' },
  { table: 'alert_accounts', rows: own },
  { table: 'shared_charts', rows: own },
  { table: 'autopilot_rules', rows: own },
  { table: 'autopilot_decisions', rows: own },
  { table: 'autopilot_accounts', rows: own },
  { table: 'price_advice', rows: own },
]

/** Columns that name a person beside the account that owns the row. Objects of a team stay with the team. */
export const ofTheTeam: readonly string[] = [
  'scheduled_jobs.created_by',
  'alert_rules.created_by',
  'autopilot_rules.created_by',
  'autopilot_decisions.created_by',
  'changes.person_id',
]

/** The reasons why something stays, or is not exported, by the name in an export. */
export const reasons = (of: 'stays' | 'notExported'): Record<string, string> =>
  Object.fromEntries(
    holdings.flatMap(({ table, name = table, [of]: reason }) => (reason ? [[name, reason]] : [])),
  )

/** Reasons for the data of an account in other stores. */
export const elsewhere = {
  observations:
    'The series of the market has numbers of machines and hosts with prices and states, and no names or addresses',
}
