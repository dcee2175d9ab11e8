import { exactly } from '../../contract/money.ts'
import { type AutopilotVerdict, decidePrice, isSamePrice } from '../../estimates/autopilot.ts'
import type { AutopilotRails, AutopilotTarget } from '../../estimates/autopilot-moment.ts'
import type { Caller } from '../../platform/security/auth.ts'
import type { Session } from '../../platform/stores/postgres.ts'
import { proveNow } from '../hosts/claims/prove-now.ts'
import type { ListedMachine } from '../hosts/machines/own-machines.ts'
import type { Change } from './adapter.ts'
import { openAdapters } from './adapters.ts'
import type { Autopilot } from './context.ts'
import { executeDecisions } from './execute.ts'
import { decisionsOf, type NewDecision, writeDecisions } from './ledger.ts'
import { adapterFor, isStopped, notReady } from './may-live.ts'
import { type MachineMoment, ruleFor } from './read-moments.ts'
import { readRights } from './rights.ts'
import { rulesOf } from './rules.ts'

/** The rails of a manual change. */
export const handRails: AutopilotRails = {
  floor: null,
  ceiling: null,
  largest_step: 0.2,
  hours_between: 0,
  changes_a_day: 24,
  quiet: null,
  idle: null,
}

const usd = exactly(4)

const onItsWay = 'A change of the machine is on its way. Its end decides what can be changed next.'

/** The floor that an account's rule sets for a machine, also of a stopped rule; null: none. */
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
    throw notReady('The autopilot of this account is stopped. Resume it first')
}

/** A price that a person requests. */
type Wish = Extract<AutopilotTarget, { kind: 'price' | 'undo' }>

/** Decides on a person's request for a machine. `from`: the price that the person saw. */
export function decideByHand(
  { known, isOpen }: MachineMoment,
  { from, target }: { from: number; target: Wish },
  rails: AutopilotRails,
): AutopilotVerdict {
  if (isOpen) return { kind: 'refusal', refusal: 'on_its_way', stops: false, reason: onItsWay }
  if (known.price !== null && !isSamePrice(known.price, from))
    return {
      kind: 'refusal',
      refusal: 'changed_elsewhere',
      stops: false,
      reason: `The price is ${usd(known.price)} now, and you looked at ${usd(from)}.`,
    }
  // Earlier manual changes are not "changes by others" in this check.
  return decidePrice({ ...known, left: null, target, rails })
}

interface ManualDecision {
  decision: AutopilotVerdict
  kind: 'hand' | 'undo'
  undoes?: string
  rule_id?: number | null
  has_webhook?: boolean
  command: readonly string[] | undefined
  rails: AutopilotRails
}

/** A manual decision, as it is written. Refusals are written as well. */
export function decisionByHand(
  { accountId, createdBy, keyId }: Caller,
  of: MachineMoment,
  { decision, kind, undoes, rule_id = null, has_webhook = false, command, rails }: ManualDecision,
): NewDecision {
  const isChange = decision.kind === 'change'
  return {
    account_id: accountId,
    created_by: createdBy,
    key_id: keyId,
    rule_id,
    rule_version: null,
    kind: isChange ? kind : 'refusal',
    stage: 'live',
    undoes: undoes ?? null,
    old_price: of.known.price,
    new_price: isChange ? decision.price : null,
    refusal: decision.kind === 'refusal' ? decision.refusal : null,
    reason: decision.reason,
    adapter: isChange ? adapterFor(of.source, { has_webhook }, command) : null,
    state: isChange ? 'decided' : 'noted',
    of,
    rails,
  }
}

/**
 * Writes manual decisions, and returns their ids. If a rule was first on a machine, or the right to its price was lost meanwhile,
 * a refusal is written instead: each machine has an answer.
 */
export async function writeByHand(
  client: Session,
  source: string | null,
  decisions: readonly NewDecision[],
): Promise<string[]> {
  const written = await writeDecisions(client, source, decisions)
  const done = new Set(written.map(({ machine_id }) => machine_id))
  const left = decisions.filter(({ of }) => !done.has(of.machine.id))
  const [first] = left
  if (!first) return written.map(({ id }) => id)
  const machines = left.map(({ of }) => of.machine)
  const rights = await readRights(client, { account: first.account_id, source, machines })
  const refused = left.map((decision): NewDecision => {
    const reason = rights.get(decision.of.machine.id)
    return {
      ...decision,
      kind: 'refusal',
      new_price: null,
      refusal: reason ? 'not_proven' : 'on_its_way',
      reason: reason ? `${reason}.` : onItsWay,
      adapter: null,
      state: 'noted',
    }
  })
  return [...written, ...(await writeDecisions(client, source, refused))].map(({ id }) => id)
}

/** Executes manual decisions at once, as far as possible, and returns them. The worker continues with the rest. */
export async function executeNow(autopilot: Autopilot, account: number, ids: readonly string[]) {
  const { postgres, markets } = autopilot
  const others = markets.all.flatMap(({ source: name, ...of }) => (name === null ? [] : [{ name, ...of }]))
  const options = { ...autopilot, markets: others }
  const adapters = openAdapters({ ...options, command: autopilot.autopilotCommand })
  const prove = (change: Change) => proveNow(options, change)
  await executeDecisions({ postgres, adapters, markets: markets.all, prove }, { ids })
  return decisionsOf(postgres, { account, ids, limit: ids.length })
}
