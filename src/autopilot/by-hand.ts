import { exactly } from '../../contract/money.ts'
import { type AutopilotVerdict, decidePrice, isSamePrice } from '../../estimates/autopilot.ts'
import type { AutopilotRails } from '../../estimates/autopilot-moment.ts'
import type { Caller } from '../../platform/security/auth.ts'
import type { Session } from '../../platform/stores/postgres.ts'
import type { ListedMachine } from '../hosts/machines/own-machines.ts'
import { openAdapters } from './adapters.ts'
import { carryOut } from './carry-out.ts'
import type { Autopilot } from './context.ts'
import { decisionsOf, type NewDecision } from './ledger.ts'
import { adapterFor, isStopped, notReady } from './may-live.ts'
import { type MachineMoment, ruleFor } from './read-moments.ts'
import { rulesOf } from './rules.ts'

/** The rails of what a person does. */
export const handRails: AutopilotRails = {
  ...{ floor: null, ceiling: null, largest_step: 0.2, hours_between: 0, changes_a_day: 24 },
  ...{ quiet: null, idle: null },
}

const usd = exactly(4)

/** The floor that an account's rule on a machine has, also of a rule that has stopped; null: none. */
export async function readFloors(
  client: Session,
  account: number,
  source: string | null,
): Promise<(machine: ListedMachine) => number | null> {
  const rules = (await rulesOf(client, account)).filter((rule) => rule.source === source)
  return (machine) => ruleFor(rules, machine)?.floor ?? null
}

/** Throws 422 while the account has stopped the autopilot. */
export async function requireRunning(client: Session, account: number): Promise<void> {
  if (await isStopped(client, account))
    throw notReady('The autopilot of this account is stopped. Let it go on first')
}

/** What a person wants of a machine, who looked at the price `from`. */
export function decideByHand(
  { known }: MachineMoment,
  { from, price }: { from: number; price: number },
  rails: AutopilotRails,
): AutopilotVerdict {
  if (known.price !== null && !isSamePrice(known.price, from))
    return {
      ...{ kind: 'refusal', refusal: 'changed_elsewhere', stops: false },
      reason: `The price is ${usd(known.price)} now, and you looked at ${usd(from)}.`,
    }
  // What a person did elsewhere is no reason against what a person does here.
  return decidePrice({ ...known, left: null, target: { kind: 'price', price }, rails })
}

interface Wanted {
  decision: AutopilotVerdict
  kind: 'hand' | 'undo'
  undoes?: string
  rule_id?: number | null
  has_webhook?: boolean
  command: readonly string[] | undefined
  rails: AutopilotRails
}

/** A decision of a person, as it is written: what is refused is written as well. */
export function decisionByHand(
  { accountId, createdBy, keyId }: Caller,
  of: MachineMoment,
  { decision, kind, undoes, rule_id = null, has_webhook = false, command, rails }: Wanted,
): NewDecision {
  const isChange = decision.kind === 'change'
  return {
    ...{ account_id: accountId, created_by: createdBy, key_id: keyId, rule_id, rule_version: null },
    ...{ kind: isChange ? kind : 'refusal', stage: 'live', undoes: undoes ?? null },
    ...{ old_price: of.known.price, new_price: isChange ? decision.price : null },
    refusal: decision.kind === 'refusal' ? decision.refusal : null,
    reason: decision.reason,
    adapter: isChange ? adapterFor(of.source, { has_webhook }, command) : null,
    state: isChange ? 'decided' : 'noted',
    ...{ of, rails },
  }
}

/** Carries decisions of a person out at once, as far as that goes, and returns them. The worker goes on with the rest. */
export async function carryOutNow(autopilot: Autopilot, account: number, ids: readonly string[]) {
  const { postgres, markets } = autopilot
  const others = markets.all.flatMap(({ source: name, ...of }) => (name === null ? [] : [{ name, ...of }]))
  const adapters = openAdapters({ ...autopilot, markets: others, command: autopilot.autopilotCommand })
  await carryOut({ postgres, adapters, markets: markets.all }, { ids })
  return decisionsOf(postgres, { account, ids, limit: ids.length })
}
