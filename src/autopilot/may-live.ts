import type { AutopilotDecision } from '../../contract/autopilot-decisions.ts'
import { autopilotLimits } from '../../contract/autopilot-kinds.ts'
import { hour } from '../../contract/durations.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Session } from '../../platform/stores/postgres.ts'
import type { ListedMachine } from '../hosts/machines/own-machines.ts'
import { marketOf } from '../rules/markets.ts'
import type { Autopilot } from './context.ts'
import { type MachineMoment, readMoments, ruleFor } from './read-moments.ts'

/**
 * The way to set the price of a machine: the rule's webhook, the site's own marketplace, the operator's command, or the API of a
 * source.
 */
export function adapterFor(
  source: string | undefined,
  { has_webhook }: { has_webhook: boolean },
  command: readonly string[] | undefined,
): NonNullable<AutopilotDecision['adapter']> {
  if (has_webhook) return 'webhook'
  if (source === undefined) return 'marketplace'
  return command ? 'command' : 'api'
}

export const notReady = (msg: string) => new ApiError(422, 'not_ready', msg)
export const notReadyErrors = {
  422: 'The rule or the machine is not ready for it, and `msg` says why: `not_ready`',
}

/** The most reasons that one answer lists. */
const mostReasons = 5
/** The most machines that an error names. */
const mostNamed = 10

/** Throws 422 when the account must not set the price of one of these machines now. */
export function requireRights(moments: readonly MachineMoment[]): void {
  const reasons = [...new Set(moments.flatMap(({ noRight }) => noRight ?? []))]
  if (reasons.length > 0)
    throw notReady(`${reasons.slice(0, mostReasons).join('; ')}${reasons.length > mostReasons ? '; …' : ''}`)
}

/** True if the account has stopped all of its rules. */
export async function isStopped(postgres: Session, account: number): Promise<boolean> {
  const query = 'SELECT FROM autopilot_accounts WHERE account_id = $1 AND stopped_at IS NOT NULL'
  return (await postgres.query(query, [account])).rowCount !== 0
}

interface Going {
  source: string | null
  machine_id: number | null
  gpu_name: string | null
  floor: number | null
  dry_run_since: number | null
  live_from: number | null
}

/**
 * Throws 422 for a rule that must not go live yet: without proof, without a day of dry run, or with a machine without a floor.
 */
export async function requireLive(autopilot: Autopilot, accountId: number, rule: Going): Promise<void> {
  const { markets, clock, postgres, snapshotInterval: interval } = autopilot
  const now = clock.now()
  const market = await marketOf(markets, rule.source)
  const isWanted = (machine: ListedMachine) => ruleFor([rule], machine) !== undefined
  const its = await readMoments(postgres, market, { account: accountId, isWanted, interval, now })
  requireRights(its)
  if (rule.live_from === null || now < rule.live_from) {
    const hours = autopilotLimits.dryRun / hour
    const left = rule.live_from === null ? hours : Math.ceil((rule.live_from - now) / hour)
    throw notReady(`A rule goes live after ${hours} hours of dry run. ${left} h are missing`)
  }
  if (its.length === 0) throw notReady('The account has no machine that the rule applies to')
  const bare = its.filter(({ known }) => rule.floor === null && known.cost_floor === null)
  const named = bare.slice(0, mostNamed).map(({ machine }) => machine.id)
  const others = bare.length > mostNamed ? ` and ${bare.length - mostNamed} more` : ''
  if (bare.length > 0)
    throw notReady(
      `Machine ${named.join(', ')}${others} has no floor: enter its price of power, its watts and the fee, or give the rule a floor`,
    )
}
