import type { AlertEntry } from '../../contract/alerts.ts'
import { currentSlot } from '../../ingest/capture.ts'
import { groupBy } from '../../platform/group-by.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { type Postgres, transaction } from '../../platform/stores/postgres.ts'
import { loadSql } from '../../platform/stores/sql-files.ts'
import type { Stores } from '../../platform/stores/stores.ts'
import { sealedFor } from '../companion/outbox/write.ts'
import { evaluate } from './evaluate.ts'
import { readFigures } from './figures.ts'
import { mailOf } from './mail.ts'
import { addRecommended } from './recommend.ts'
import type { Rule } from './rule.ts'
import type { SlotFigures } from './slot-figures.ts'

/** A row of alerts/in_force.sql. */
interface RuleInForce extends Rule {
  id: number
  created_by: number
  version: number
  name: string
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
}

type What = 'market' | 'clock'

/** The day of alerts/next_slot.sql. */
const longestPause = 86_400

/** Evaluates the rules at every slot that was loaded since, then those on the age of the data. Returns how many messages were written. */
export async function runRules(stores: AlertStores, stop?: AbortSignal): Promise<number> {
  let messages = 0
  while (!stop?.aborted) {
    const next = await runNext(stores)
    if (next === undefined) break
    messages += next
  }
  return messages + (await runClock(stores))
}

const readRules = async (postgres: Postgres, what: What): Promise<RuleInForce[]> =>
  (await postgres.query<RuleInForce>(loadSql('postgres/queries/alerts/in_force'), [what])).rows

/** The next slot of the market; undefined: there is none. */
async function runNext(stores: AlertStores): Promise<number | undefined> {
  const { postgres, snapshotInterval: interval } = stores
  const { rows } = await postgres.query<{ slot: number; previous: number }>(
    loadSql('postgres/queries/alerts/next_slot'),
  )
  const [next] = rows
  if (!next) return undefined
  const { slot, previous } = next
  const rules = await readRules(postgres, 'market')
  // Nobody is to hear of the events of slots that were passed over.
  const since = slot - previous > longestPause ? slot - interval : previous
  const figures = await readFigures(stores, { slot, previous: since, interval }, rules)
  return conclude(stores, { what: 'market', slot, previous }, rules, figures)
}

/** The present slot of the clock, whether or not the market has it. */
async function runClock(stores: AlertStores): Promise<number> {
  const { postgres, snapshotInterval: interval } = stores
  const slot = await currentSlot(postgres, interval)
  const { rows } = await postgres.query<{ previous: number; newest: number }>(
    loadSql('postgres/queries/alerts/clock'),
  )
  const [{ previous, newest } = { previous: slot, newest: 0 }] = rows
  if (previous >= slot) return 0
  const rules = await readRules(postgres, 'clock')
  const figures = { ...(await readFigures(stores, { slot, previous, interval }, [])), newest }
  return conclude(stores, { what: 'clock', slot, previous }, rules, figures)
}

interface Turn {
  what: What
  slot: number
  previous: number
}

/**
 * Evaluates the rules and writes all that follows in one transaction: that the slot is done, what the rules remember, and what they say.
 * Whenever a process dies, either all of it is there or nothing. When another process was first, or a rule was changed meanwhile, nothing
 * is written: the next look begins again.
 */
async function conclude(
  stores: AlertStores,
  { what, slot, previous }: Turn,
  rules: readonly RuleInForce[],
  figures: SlotFigures,
): Promise<number> {
  const { postgres, vault, publicUrl } = stores
  const results = rules.map((rule) => ({ rule, ...evaluate(rule, figures) }))
  const said: Said[] = results.filter(({ entries }) => entries.length > 0)
  await addRecommended(stores, said)
  // Also those that only say something: that must not be of a rule that its holder has changed.
  const changed = results.filter(({ rule, state, entries }) => entries.length > 0 || state !== rule.state)
  try {
    await transaction(postgres, async (client) => {
      const done = 'UPDATE alert_progress SET slot = $3 WHERE what = $1 AND slot = $2'
      if ((await client.query(done, [what, previous, slot])).rowCount === 0) throw new Overtaken()
      const remembered = await client.query(loadSql('postgres/queries/alerts/remember'), [
        changed.map(({ rule }) => rule.id),
        changed.map(({ rule }) => rule.version),
        changed.map(({ state }) => JSON.stringify(state)),
      ])
      if (remembered.rowCount !== changed.length) throw new Overtaken()
      if (said.length === 0) return
      await client.query(loadSql('postgres/queries/alerts/say'), [
        slot,
        said.map(({ rule }) => rule.id),
        said.map(({ entries }) => JSON.stringify(entries)),
        said.map(({ rule }) => rule.has_webhook),
      ])
      const mails = mailsOf(said, slot, publicUrl)
      await client.query(loadSql('postgres/queries/alerts/mail'), [
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
      own.map(({ rule, entries }) => ({ name: rule.name, entries })),
      slot,
      publicUrl,
    ),
  }))
}
