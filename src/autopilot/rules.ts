import type { AutopilotBody, AutopilotRule } from '../../contract/autopilot.ts'
import { autopilotLimits } from '../../contract/autopilot-kinds.ts'
import { notFound } from '../../platform/errors.ts'
import type { Caller } from '../../platform/security/auth.ts'
import type { Session } from '../../platform/stores/postgres.ts'
import type { Account } from '../companion/context.ts'
import { marketOf } from '../rules/markets.ts'
import { requireMachine, seriesName } from '../rules/subject.ts'
import { priceHookPurpose } from '../rules/webhook/sign.ts'
import { webhookSecret } from '../rules/webhook/webhook-secret.ts'
import type { Autopilot } from './context.ts'
import type { RuleSettings } from './rule.ts'

export const noRule = () => notFound('There is no such rule')

type RuleRow = Omit<AutopilotRule, keyof RuleSettings> & { settings: RuleSettings; version: number }

/** The rules of an account in the order they were created, or only one of them. */
export async function rulesOf(
  client: Session,
  accountId: number,
  ruleId: number | null = null,
): Promise<AutopilotRule[]> {
  const query = 'autopilot/list'
  const { rows } = await client.query<RuleRow>(query, [accountId, ruleId, autopilotLimits.dryRun])
  return rows.map(({ settings, version: _, ...rule }) => ({ ...rule, ...settings }))
}

/**
 * The market of a rule's machines, as it is stored. Throws 400 and 404 for a source and a machine that the account does not have.
 */
export async function placeOf(
  { markets }: Pick<Autopilot, 'markets'>,
  accountId: number,
  { source: given, machine_id, gpu_name }: Pick<AutopilotBody, 'source' | 'machine_id' | 'gpu_name'>,
): Promise<{ source: string | null; gpu_name: string | null }> {
  const { source, own, series } = await marketOf(markets, given)
  await requireMachine(own, accountId, machine_id)
  return { source, gpu_name: gpu_name === null ? null : await seriesName(series, gpu_name) }
}

interface Columns extends Pick<Autopilot, 'privateHosts'> {
  place: Awaited<ReturnType<typeof placeOf>>
  /** The URL of its webhook before. */
  former?: string | null
}

/**
 * The columns that statements store of a rule, beginning with its account. Throws 400 for values that the caller may not write.
 */
export async function columnsOf(
  account: Account,
  caller: Caller,
  body: AutopilotBody,
  { privateHosts, place, former }: Columns,
): Promise<{ values: unknown[]; secret: string | null }> {
  const { id } = account
  const { name, machine_id, webhook_url, email, gpu_name: _, source: __, ...settings } = body
  const hook = { privateHosts, former, purpose: priceHookPurpose(id) }
  const { secret, sealed } = await webhookSecret(account, caller, body, hook)
  return {
    values: [
      id,
      caller.createdBy,
      caller.keyId,
      place.source,
      name,
      machine_id,
      place.gpu_name,
      JSON.stringify(settings),
      webhook_url,
      sealed,
      email,
    ],
    secret,
  }
}
