import type { AlertCondition } from '../../contract/alert-conditions.ts'
import type { AlertBody, AlertRule } from '../../contract/alerts.ts'
import { chatServiceOf } from '../../contract/chat-services.ts'
import { normalName, sameName } from '../../contract/gpu-names.ts'
import { notFound } from '../../platform/errors.ts'
import type { Caller } from '../../platform/security/auth.ts'
import type { Postgres, Session } from '../../platform/stores/postgres.ts'
import { one } from '../../platform/stores/rows.ts'
import type { Account } from '../companion/context.ts'
import { marketOf, type RuleMarkets } from '../rules/markets.ts'
import { knownName, requireMachine } from '../rules/subject.ts'
import { secretPurpose } from '../rules/webhook/sign.ts'
import { webhookSecret } from '../rules/webhook/webhook-secret.ts'
import type { Alerts } from './context.ts'
import type { RuleState } from './rule.ts'

export const noRule = () => notFound('There is no such rule')

type RuleRow = Omit<AlertRule, 'status' | 'firing' | 'has_data'> & { state: RuleState }

/** The rules of an account as they are stored, in the order they were created, or only one of them. */
async function storedRules(client: Session, accountId: number, ruleId?: number): Promise<RuleRow[]> {
  const values = [accountId, ruleId ?? null]
  return (await client.query<RuleRow>('alerts/list', values)).rows
}

/**
 * The rules of an account in the order they were created, or only one of them. Reads the markets, which need sessions of their
 * own.
 */
export async function rulesOf(
  postgres: Postgres,
  markets: RuleMarkets,
  accountId: number,
  ruleId?: number,
): Promise<AlertRule[]> {
  const rows = await storedRules(postgres, accountId, ruleId)
  const namesOf = new Map(
    await Promise.all(
      markets.all
        .filter(({ source }) => rows.some((row) => row.source === source))
        .map(async ({ source, series }) => [source, await series.names()] as const),
    ),
  )
  return rows.map((row) => {
    const { condition, source } = row
    if (!('gpu_name' in condition)) return shownRule(row, null)
    return shownRule(
      row,
      namesOf.get(source)?.some(({ name }) => sameName(name, condition.gpu_name)) ?? false,
    )
  })
}

/** A rule as the API returns it. `has_data`: the market has the GPU; null for a rule on something else. */
function shownRule({ state, ...rule }: RuleRow, has_data: boolean | null): AlertRule {
  const firing = Object.entries(state).flatMap(([key, { since, value = null, limit = null, before }]) =>
    since === undefined ? [] : [{ machine_id: key === '' ? null : Number(key), since, value, limit, before }],
  )
  const status = rule.stop_reason !== null ? 'stopped' : firing.length > 0 ? 'firing' : 'ok'
  return { ...rule, status, firing, has_data }
}

/** The URL of a rule's webhook. Throws 404 when the account has no such rule. */
export async function webhookOf({ client, id }: Account, ruleId: number): Promise<string | null> {
  const [rule] = await storedRules(client, id, ruleId)
  if (!rule) throw noRule()
  return rule.webhook_url
}

/** A rule that was just written, as the API returns it. */
export async function writtenRule(
  { client, id }: Account,
  ruleId: number,
  { has_data }: WatchedMarket,
): Promise<AlertRule> {
  return shownRule(one(await storedRules(client, id, ruleId)), has_data)
}

/** The market and the subject that a rule watches. */
export interface WatchedMarket {
  /** null: the first one. */
  source: string | null
  condition: AlertCondition
  /** True if the market has the GPU of the condition; null: the condition has no GPU. */
  has_data: boolean | null
}

/** The subject of a rule as it is stored. Throws 400 and 404 for a source and a machine that the account does not have. */
export async function watchedBy(
  markets: RuleMarkets,
  accountId: number,
  { source: given, condition }: Pick<AlertBody, 'source' | 'condition'>,
): Promise<WatchedMarket> {
  const { source, series, own } = await marketOf(markets, given)
  if ('machine_id' in condition && condition.machine_id !== null)
    await requireMachine(own, accountId, condition.machine_id)
  if (!('gpu_name' in condition)) return { source, condition, has_data: null }
  const known = await knownName(series, condition.gpu_name)
  const gpu_name = known ?? normalName(condition.gpu_name)
  return { source, condition: { ...condition, gpu_name }, has_data: known !== undefined }
}

interface Columns extends Pick<Alerts, 'privateHosts'> {
  watched: WatchedMarket
  /** The URL of its webhook before. */
  former?: string | null
}

/**
 * The columns that statements store of a rule, beginning with its account. Throws 400 for values that the caller may not write.
 */
export async function columnsOf(
  account: Account,
  caller: Caller,
  body: AlertBody,
  { privateHosts, watched, former }: Columns,
): Promise<{ values: unknown[]; secret: string | null }> {
  const { id } = account
  const { name, email, webhook_url } = body
  const { source, condition } = watched
  const hook = { privateHosts, former, purpose: secretPurpose(id) }
  const { secret, sealed } = await webhookSecret(account, caller, body, hook)
  return {
    values: [
      id,
      caller.createdBy,
      caller.keyId,
      name,
      JSON.stringify(condition),
      email,
      webhook_url,
      sealed,
      source,
    ],
    // A chat service does not verify signatures.
    secret: webhook_url !== null && chatServiceOf(webhook_url) ? null : secret,
  }
}
