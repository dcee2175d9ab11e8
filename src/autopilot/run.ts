import type { DryRunReplay } from '../../contract/autopilot-decisions.ts'
import type { Clock } from '../../platform/clock.ts'
import { groupBy } from '../../platform/group-by.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { transaction } from '../../platform/stores/postgres.ts'
import { proveNow } from '../hosts/claims/prove-now.ts'
import { openMarkets, type RuleMarket, type SiteStores } from '../rules/markets.ts'
import type { SendHook } from '../rules/webhook/send.ts'
import type { Change } from './adapter.ts'
import { openAdapters } from './adapters.ts'
import { executeDecisions } from './execute.ts'
import { type Judged, judgeAll, readDryRuns, rulesIn } from './judge.ts'
import { type NewDecision, writeDecisions } from './ledger.ts'
import { mailDecisions, mailFailure } from './mail.ts'
import { adapterFor } from './may-live.ts'
import { replayDryRun } from './replay-dry-run.ts'
import type { RuleInForce } from './rule.ts'

export interface AutopilotStores extends SiteStores {
  clock: Clock
  vault: Vault
  sendHook: SendHook
  /** Seconds between slots. */
  snapshotInterval: number
  /** The program that sets prices of sources; undefined: there is none. */
  autopilotCommand?: readonly string[] | undefined
}

/**
 * Evaluates rules once at the newest slot of each market, and executes pending decisions. Returns the number of written
 * decisions. An unreachable market delays the others only by its connection timeout.
 */
export async function runAutopilot(stores: AutopilotStores, stop?: AbortSignal): Promise<number> {
  const { postgres: site } = stores
  const markets = openMarkets(stores)
  const failures: unknown[] = []
  let written = 0
  for (const market of markets) {
    if (stop?.aborted) return written
    await decideAt(stores, market).then(
      (count) => {
        written += count
      },
      (error) => failures.push(error),
    )
  }
  const adapters = openAdapters({ ...stores, send: stores.sendHook, command: stores.autopilotCommand })
  const prove = (change: Change) => proveNow(stores, change)
  const onFailed = mailFailure(stores)
  await executeDecisions({ postgres: site, adapters, markets, prove, onFailed }, { stop })
  if (failures.length > 0) throw failures[0]
  return written
}

/** The verdicts of all rules on their machines now. Nothing is written. */
export async function suggestAll(stores: AutopilotStores) {
  const { postgres: site, snapshotInterval: interval, clock } = stores
  const found: Judged[] = []
  for (const market of openMarkets(stores))
    found.push(...(await judgeAll(site, market, await rulesIn(site, market, null), { clock, interval })))
  return found.map(({ rule, of: { machine }, known, decision }) => ({
    rule: rule.name,
    account: rule.account_id,
    stage: rule.stage,
    machine_id: machine.id,
    gpu_name: machine.gpu_name,
    price: known.price,
    ...decision,
  }))
}

/** Replays of the dry runs of all rules. */
export async function replayAll(stores: AutopilotStores) {
  const found: (DryRunReplay & { rule: string; account: number })[] = []
  for (const market of openMarkets(stores))
    for (const rule of await rulesIn(stores.postgres, market, null))
      if (rule.stage === 'dry_run')
        found.push({
          rule: rule.name,
          account: rule.account_id,
          ...(await replayDryRun(market, rule, await readDryRuns(stores.postgres, [rule.id]))),
        })
  return found
}

const progressOf = ({ source }: RuleMarket): string => (source === null ? 'autopilot' : `autopilot ${source}`)

async function decideAt(stores: AutopilotStores, market: RuleMarket): Promise<number> {
  const { postgres: site, snapshotInterval: interval, clock } = stores
  const rules = await rulesIn(site, market, null)
  if (rules.length === 0) return 0
  const { recorded_slot: slot } = await market.series.state()
  const what = progressOf(market)
  const enter = 'INSERT INTO alert_progress (what, slot) VALUES ($1, 0) ON CONFLICT DO NOTHING'
  await site.query(enter, [what])
  const read = 'SELECT slot FROM alert_progress WHERE what = $1'
  const previous = (await site.query<{ slot: number }>(read, [what])).rows[0]?.slot ?? 0
  // Without a new slot only the data's age changes. It is reported with the next slot.
  if (previous === slot) return 0
  const going = rules.filter(({ stop_reason }) => stop_reason === null)
  const judged = await judgeAll(site, market, going, { clock, interval })
  return commitDecisions(stores, {
    market: market.source,
    what,
    previous,
    slot,
    rules,
    judged,
    command: stores.autopilotCommand,
  })
}

interface SlotDecisions {
  market: string | null
  what: string
  previous: number
  slot: number
  rules: readonly RuleInForce[]
  judged: readonly Judged[]
  command: readonly string[] | undefined
}

/**
 * Writes all results of a slot in one transaction: the finished slot, state keys of rules, decisions, and mail. If the process
 * dies, either all of it is stored or nothing. If another process was first, or a rule was changed meanwhile, nothing is written.
 */
async function commitDecisions(stores: AutopilotStores, turn: SlotDecisions): Promise<number> {
  const { rules, judged, market } = turn
  const spoken = judged.filter(isNewDecision)
  const byRule = groupBy(judged, ({ rule }) => rule.id)
  const remembered = rules.flatMap((rule) => {
    const own = byRule.get(rule.id) ?? []
    const stop = rule.stop_reason ?? stopOf(own) ?? missingMachineReason(rule, judged)
    const state = Object.fromEntries(own.map((one) => [one.of.machine.id, stateKeyOf(one)]))
    const isSame = stop === null && JSON.stringify(state) === JSON.stringify(rule.state)
    return isSame ? [] : [{ rule, stop, state }]
  })
  try {
    return await transaction(stores.postgres, async (client) => {
      const done = 'UPDATE alert_progress SET slot = $3 WHERE what = $1 AND slot = $2'
      const { rowCount } = await client.query(done, [turn.what, turn.previous, turn.slot])
      if (rowCount === 0) throw new Overtaken()
      const kept = await client.query('autopilot/remember', [
        remembered.map(({ rule }) => rule.id),
        remembered.map(({ rule }) => rule.version),
        remembered.map(({ state }) => JSON.stringify(state)),
        remembered.map(({ stop }) => stop),
      ])
      if (kept.rowCount !== remembered.length) throw new Overtaken()
      const decisions = spoken.map((one) => newDecision(one, turn.command))
      const written = await writeDecisions(client, market, decisions)
      const stopped = remembered.flatMap(({ rule, stop }) => (stop === null ? [] : [{ rule, stop }]))
      await mailDecisions(client, stores, { spoken, stopped })
      return written.length
    })
  } catch (error) {
    if (error instanceof Overtaken) return 0
    throw error
  }
}

/** Another process was first, or a holder changed a rule. */
class Overtaken extends Error {}

/** The state key of a machine. An unchanged key produces no new decision. */
const stateKeyOf = ({ decision }: Judged): string =>
  decision.kind === 'change'
    ? `change ${decision.price}`
    : decision.kind === 'refusal'
      ? decision.refusal
      : 'none'

/** Machines with a pending change are skipped. A change of a live rule or a dry run is always a new decision. */
const isNewDecision = (one: Judged): boolean => {
  const { rule, of, decision } = one
  if (decision.kind === 'none' || of.isOpen) return false
  const isMade = decision.kind === 'change' && rule.stage !== 'suggest'
  return isMade || rule.state[of.machine.id] !== stateKeyOf(one)
}

const stopOf = (own: readonly Judged[]): string | null => {
  const stopping = own.find(
    ({ rule, decision }) => decision.kind === 'refusal' && decision.stops && rule.stage === 'live',
  )
  return stopping ? `Machine ${stopping.of.machine.id}: ${stopping.decision.reason}` : null
}

/** The reason of a rule on one machine that the account no longer has. It is recorded at each stage. */
function missingMachineReason(
  { machine_id, account_id }: RuleInForce,
  judged: readonly Judged[],
): string | null {
  if (machine_id === null) return null
  const id = Number(machine_id)
  // If the machine exists, a rule judges it: this one, or an older one on the same machine.
  const isThere = judged.some(({ rule, of }) => rule.account_id === account_id && of.machine.id === id)
  return isThere ? null : `Machine ${id} no longer belongs to the account`
}

function newDecision(
  { rule, of, known, decision }: Judged,
  command: readonly string[] | undefined,
): NewDecision {
  const isChange = decision.kind === 'change'
  const isLive = isChange && rule.stage === 'live'
  const { target: _, ...rails } = rule.settings
  return {
    account_id: rule.account_id,
    created_by: rule.created_by,
    key_id: rule.key_id,
    rule_id: rule.id,
    rule_version: rule.version,
    stage: rule.stage,
    undoes: null,
    kind: isChange ? 'change' : 'refusal',
    old_price: known.price,
    new_price: isChange ? decision.price : null,
    refusal: decision.kind === 'refusal' ? decision.refusal : null,
    reason: decision.reason,
    adapter: isLive ? adapterFor(of.source, rule, command) : null,
    state: isLive ? 'decided' : 'noted',
    of,
    rails,
  }
}
