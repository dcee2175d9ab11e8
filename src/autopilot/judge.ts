import { type AutopilotVerdict, decidePrice } from '../../estimates/autopilot.ts'
import type { Clock } from '../../platform/clock.ts'
import { groupBy } from '../../platform/group-by.ts'
import type { Session } from '../../platform/stores/postgres.ts'
import type { RuleMarket } from '../rules/markets.ts'
import { type MachineMoment, readMoments, ruleFor } from './read-moments.ts'
import type { RuleInForce } from './rule.ts'

/** The verdict of a rule on a machine. */
export interface Judged {
  rule: RuleInForce
  of: MachineMoment
  /** The state of the machine as the rule sees it: in a dry run with the price that it would have set. */
  known: MachineMoment['known']
  decision: AutopilotVerdict
}

/** The changes that a rule would have made to a machine in its dry run, in order. */
export interface DryRun {
  rule_id: number
  id: number
  num_gpus: number
  steps: { at: number; old: number; price: number }[]
}

export const readDryRuns = async (site: Session, rules: readonly number[]): Promise<DryRun[]> =>
  (await site.query<DryRun>('autopilot/dry_runs', [rules])).rows

/** The rules in force in a market: of one account, or of all (null). */
export const rulesIn = async (
  site: Session,
  { source }: RuleMarket,
  account: number | null,
): Promise<RuleInForce[]> => (await site.query<RuleInForce>('autopilot/in_force', [source, account])).rows

/** The verdicts of some rules of a market on their machines at its newest slot. Nothing is written. */
export async function judgeAll(
  site: Session,
  market: RuleMarket,
  rules: readonly RuleInForce[],
  { clock, interval }: { clock: Clock; interval: number },
): Promise<Judged[]> {
  const judged: Judged[] = []
  for (const [account, own] of groupBy(rules, (rule) => rule.account_id)) {
    const moments = await readMoments(site, market, {
      account,
      isWanted: (machine) => ruleFor(own, machine) !== undefined,
      interval,
      now: clock.now(),
    })
    judged.push(...(await judge(site, own, moments)))
  }
  return judged
}

/** The verdict of each machine's rule. */
async function judge(
  site: Session,
  rules: readonly RuleInForce[],
  moments: readonly MachineMoment[],
): Promise<Judged[]> {
  const dry = rules.filter(({ stage }) => stage === 'dry_run').map(({ id }) => id)
  const ranOf = new Map((await readDryRuns(site, dry)).map((row) => [`${row.rule_id} ${row.id}`, row]))
  return moments.flatMap((of): Judged[] => {
    const rule = ruleFor(rules, of.machine)
    if (!rule) return []
    const known = rule.stage === 'dry_run' ? asIfDone(of, ranOf.get(`${rule.id} ${of.machine.id}`)) : of.known
    const { target, ...rails } = rule.settings
    const decision = refusedRight(rule, of) ?? decidePrice({ ...known, target, rails })
    return [{ rule, of, known, decision }]
  })
}

/** A live rule sets only prices that the account may set. */
const refusedRight = ({ stage }: RuleInForce, { noRight }: MachineMoment): AutopilotVerdict | undefined =>
  stage === 'live' && noRight !== null
    ? { kind: 'refusal', refusal: 'not_proven', stops: false, reason: `${noRight}.` }
    : undefined

/** In a dry run the price is the one that the rule would have set, and the changes are its simulated ones. */
function asIfDone({ known }: MachineMoment, ran: DryRun | undefined): MachineMoment['known'] {
  const price = known.price === null ? null : (ran?.steps.at(-1)?.price ?? known.price)
  // Occupancy at a price that the machine does not ask is unknown.
  const own_results = price === known.price ? known.own_results : null
  return { ...known, left: null, price, own_results, changes: ran?.steps.map(({ at }) => at) ?? [] }
}
