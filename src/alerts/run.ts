import type { AlertEntry } from '../../contract/alerts.ts'
import { day } from '../../contract/durations.ts'
import { currentSlot } from '../../ingest/capture.ts'
import { groupBy } from '../../platform/group-by.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { type Postgres, transaction } from '../../platform/stores/postgres.ts'
import { one } from '../../platform/stores/rows.ts'
import { sealedFor } from '../companion/outbox/write.ts'
import { openMarkets, type RuleMarket, type SiteStores } from '../rules/markets.ts'
import { evaluate } from './evaluate.ts'
import { readFigures } from './figures.ts'
import { mailOf } from './mail.ts'
import { addRecommended } from './recommend.ts'
import type { Rule } from './rule.ts'
import type { SlotFigures } from './slot-figures.ts'

/** A row of alerts/in_force. */
interface RuleInForce extends Rule {
  id: number
  created_by: number
  version: number
  name: string
  source: string | null
  recipient: string | null
  has_webhook: boolean
}

/** The messages of a rule at a slot. */
export interface RuleMessages {
  rule: RuleInForce
  entries: AlertEntry[]
}

export interface AlertStores extends SiteStores {
  vault: Vault
  /** Seconds between slots. */
  snapshotInterval: number
  /** The URL of the page, for links in mail. */
  publicUrl?: string | undefined
}

type What = 'market' | 'clock'

/** A day, as in alerts/next_slot. */
const longestPause = day

/**
 * Evaluates the rules at every newly loaded slot of each market, then the rules on the age of the data. Returns the number of
 * written messages. An unreachable market delays the others only by its connection timeout.
 */
export async function runRules(stores: AlertStores, stop?: AbortSignal): Promise<number> {
  let messages = 0
  const failures: unknown[] = []
  for (const market of openMarkets(stores)) {
    try {
      while (!stop?.aborted) {
        const next = await runNext(stores, market)
        if (next === undefined) break
        messages += next
      }
      messages += await runClock(stores, market)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return messages
}

const readRules = async (site: Postgres, what: What, { source }: RuleMarket): Promise<RuleInForce[]> =>
  (await site.query<RuleInForce>('alerts/in_force', [what, source])).rows

const progressOf = (what: What, { source }: RuleMarket): string =>
  source === null ? what : `${what} ${source}`

/** The slot at which the rules of a market were last evaluated; 0: none. */
async function previousSlot(site: Postgres, what: string): Promise<number> {
  const query = 'SELECT slot FROM alert_progress WHERE what = $1'
  const { rows } = await site.query<{ slot: number }>(query, [what])
  if (rows[0]) return rows[0].slot
  await site.query('INSERT INTO alert_progress (what, slot) VALUES ($1, 0) ON CONFLICT DO NOTHING', [what])
  return 0
}

/** The next slot of the market; undefined: there is none. */
async function runNext(stores: AlertStores, market: RuleMarket): Promise<number | undefined> {
  const { postgres: site, snapshotInterval: interval } = stores
  const what = progressOf('market', market)
  const previous = await previousSlot(site, what)
  const query = 'alerts/next_slot'
  const [next] = (await market.postgres.query<{ slot: number }>(query, [previous])).rows
  if (!next) return undefined
  const { slot } = next
  const rules = await readRules(site, 'market', market)
  // Events of skipped slots are not reported.
  const since = slot - previous > longestPause ? slot - interval : previous
  const figures = await readFigures(market, { slot, previous: since, interval }, rules)
  return commitSlot(stores, market, { what, slot, previous, rules, figures })
}

const newestLoaded = 'SELECT coalesce(max(slot), 0) AS newest FROM snapshots WHERE loaded_at IS NOT NULL'

/** The current slot of the clock, even if the market lacks it. */
async function runClock(stores: AlertStores, market: RuleMarket): Promise<number> {
  const { postgres: site, snapshotInterval: interval } = stores
  const slot = await currentSlot(site, interval)
  const what = progressOf('clock', market)
  const previous = await previousSlot(site, what)
  if (previous >= slot) return 0
  const { newest } = one((await market.postgres.query<{ newest: number }>(newestLoaded)).rows)
  const rules = await readRules(site, 'clock', market)
  const figures = { ...(await readFigures(market, { slot, previous, interval }, [])), newest }
  return commitSlot(stores, market, { what, slot, previous, rules, figures })
}

interface SlotEvaluation {
  /** The key of alert_progress under which the evaluated slot is stored. */
  what: string
  slot: number
  previous: number
  rules: readonly RuleInForce[]
  figures: SlotFigures
}

/**
 * Evaluates the rules and writes all results in one transaction: the finished slot, the states of the rules, and their messages.
 * If the process dies, either all of it is stored or nothing. If another process was first, or a rule was changed meanwhile,
 * nothing is written, and the next run repeats it.
 */
async function commitSlot(
  stores: AlertStores,
  market: RuleMarket,
  { what, slot, previous, rules, figures }: SlotEvaluation,
): Promise<number> {
  const { postgres, vault, publicUrl } = stores
  const results = rules.map((rule) => ({ rule, ...evaluate(rule, figures) }))
  const said: RuleMessages[] = results.filter(({ entries }) => entries.length > 0)
  await addRecommended(market, stores.snapshotInterval, said)
  // Rules with messages but an unchanged state are locked, too: a rule edited meanwhile must not send them.
  const changed = results.filter(({ rule, state, entries }) => entries.length > 0 || state !== rule.state)
  try {
    await transaction(postgres, async (client) => {
      const done = 'UPDATE alert_progress SET slot = $3 WHERE what = $1 AND slot = $2'
      if ((await client.query(done, [what, previous, slot])).rowCount === 0) throw new Overtaken()
      const remembered = await client.query('alerts/remember', [
        changed.map(({ rule }) => rule.id),
        changed.map(({ rule }) => rule.version),
        changed.map(({ state }) => JSON.stringify(state)),
      ])
      if (remembered.rowCount !== changed.length) throw new Overtaken()
      if (said.length === 0) return
      await client.query('alerts/say', [
        slot,
        said.map(({ rule }) => rule.id),
        said.map(({ entries }) => JSON.stringify(entries)),
        said.map(({ rule }) => rule.has_webhook),
      ])
      const mails = mailsOf(said, slot, publicUrl)
      await client.query('alerts/mail', [
        mails.map(({ person }) => person),
        mails.map(({ recipient }) => recipient),
        mails.map(({ subject, text }) => vault.seal(JSON.stringify({ subject, text }), sealedFor)),
      ])
    })
    return said.length
  } catch (error) {
    if (error instanceof Overtaken) return 0
    throw error
  }
}

/** Another process was first, or a holder changed a rule. */
class Overtaken extends Error {}

/** One mail for each person, for any number of rules. */
function mailsOf(said: readonly RuleMessages[], slot: number, publicUrl: string | undefined) {
  const byMail = said.filter(({ rule }) => rule.recipient !== null)
  return [...groupBy(byMail, ({ rule }) => rule.created_by)].map(([person, own]) => ({
    person,
    recipient: own[0]?.rule.recipient ?? '',
    ...mailOf(
      own.map(({ rule, entries }) => ({ name: rule.name, source: rule.source, entries })),
      slot,
      publicUrl,
    ),
  }))
}
