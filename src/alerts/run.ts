import type { AlertEntry } from '../../contract/alerts.ts'
import { currentSlot } from '../../ingest/capture.ts'
import { groupBy } from '../../platform/group-by.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { type Postgres, transaction } from '../../platform/stores/postgres.ts'
import { one } from '../../platform/stores/rows.ts'
import type { Stores } from '../../platform/stores/stores.ts'
import { sealedFor } from '../companion/outbox/write.ts'
import { openRuleMarket, type RuleMarket } from '../rules/markets.ts'
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

/** What a rule says at a slot. */
export interface Said {
  rule: RuleInForce
  entries: AlertEntry[]
}

export interface AlertStores extends Stores {
  vault: Vault
  /** Seconds between slots. */
  snapshotInterval: number
  /** Where the page is, for links in mail. */
  publicUrl?: string | undefined
  /** Those of all sources but the first. */
  markets?: readonly (Stores & { name: string })[] | undefined
}

type What = 'market' | 'clock'

/** The day of alerts/next_slot. */
const longestPause = 86_400

/**
 * Evaluates the rules at every slot that was loaded since, of each market, then those on the age of the data. Returns how many messages were written.
 * A market whose databases are away keeps those of others waiting no longer than it takes to find that out.
 */
export async function runRules(stores: AlertStores, stop?: AbortSignal): Promise<number> {
  const { postgres: site, clickhouse, markets = [] } = stores
  let messages = 0
  const failures: unknown[] = []
  for (const { name, ...of } of [{ postgres: site, clickhouse, name: null }, ...markets]) {
    const market = openRuleMarket({ postgres: site, clickhouse }, { ...of, source: name })
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

/** The slot that the rules of a market were evaluated at last; 0: none. */
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
  // Nobody is to hear of the events of slots that were passed over.
  const since = slot - previous > longestPause ? slot - interval : previous
  const figures = await readFigures(market, { slot, previous: since, interval }, rules)
  return commitSlot(stores, market, { what, slot, previous, rules, figures })
}

const newestLoaded = 'SELECT coalesce(max(slot), 0) AS newest FROM snapshots WHERE loaded_at IS NOT NULL'

/** The present slot of the clock, whether or not the market has it. */
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

interface Turn {
  /** Its progress. */
  what: string
  slot: number
  previous: number
  rules: readonly RuleInForce[]
  figures: SlotFigures
}

/**
 * Evaluates the rules and writes all that follows in one transaction: that the slot is done, what the rules remember, and what they say.
 * Whenever a process dies, either all of it is there or nothing. When another process was first, or a rule was changed meanwhile, nothing
 * is written: the next look begins again.
 */
async function commitSlot(
  stores: AlertStores,
  market: RuleMarket,
  { what, slot, previous, rules, figures }: Turn,
): Promise<number> {
  const { postgres, vault, publicUrl } = stores
  const results = rules.map((rule) => ({ rule, ...evaluate(rule, figures) }))
  const said: Said[] = results.filter(({ entries }) => entries.length > 0)
  await addRecommended(market, stores.snapshotInterval, said)
  // Also those that only say something: that must not be of a rule that its holder has changed.
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

/** One mail for each person, however many rules speak. */
function mailsOf(said: readonly Said[], slot: number, publicUrl: string | undefined) {
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
