import { type AutopilotDecision, decidePrice } from '../../estimates/autopilot.ts'
import type { Session } from '../../platform/stores/postgres.ts'
import { loadSql } from '../../platform/stores/sql-files.ts'
import { type MachineMoment, ruleFor } from './read-moments.ts'
import type { RuleInForce } from './rule.ts'

/** What a rule says of a machine. */
export interface Judged {
  rule: RuleInForce
  of: MachineMoment
  /** The moment as the rule sees it: in a dry run with the price that it would have set. */
  known: MachineMoment['known']
  decision: AutopilotDecision
}

interface DryRun {
  rule_id: number
  id: number
  price: number
  times: number[]
}

/** What each machine's rule does with it. Rules are in the order in which they win. */
export async function judge(
  site: Session,
  rules: readonly RuleInForce[],
  moments: readonly MachineMoment[],
): Promise<Judged[]> {
  const dry = rules.filter(({ stage }) => stage === 'dry_run').map(({ id }) => id)
  const { rows } = await site.query<DryRun>(loadSql('postgres/queries/autopilot/dry_runs'), [dry])
  const ranOf = new Map(rows.map((row) => [`${row.rule_id} ${row.id}`, row]))
  return moments.flatMap((of): Judged[] => {
    const rule = ruleFor(rules, of.machine)
    if (!rule) return []
    const known = rule.stage === 'dry_run' ? asIfDone(of, ranOf.get(`${rule.id} ${of.machine.id}`)) : of.known
    const { target, ...rails } = rule.settings
    return [{ rule, of, known, decision: decidePrice({ ...known, target, rails }) }]
  })
}

/** In a dry run the price is the one that the rule would have set, and the changes are those that it would have made. */
const asIfDone = ({ known }: MachineMoment, ran: DryRun | undefined): MachineMoment['known'] => ({
  ...known,
  left: null,
  price: known.price === null ? null : (ran?.price ?? known.price),
  changes: ran?.times ?? [],
})
