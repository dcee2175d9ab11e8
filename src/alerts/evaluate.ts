import type { AlertEntry } from '../../contract/alerts.ts'
import { hour } from '../../contract/durations.ts'
import { longestPair } from '../../platform/stores/slot-interval.ts'
import { type Reading, readingsOf } from './readings.ts'
import type { Rule, RuleState, Watched } from './rule.ts'
import type { SlotFigures } from './slot-figures.ts'
import { eventText, textOf } from './text.ts'

type UnwordedEntry = Omit<AlertEntry, 'text'>

/**
 * The messages of a rule at a slot, and its state for the next slot. A pure function, for the worker and for the trial of a rule on past data.
 * A subject without a reading at the slot keeps its state, so that a gap causes no message. An unchanged state is returned as the same object.
 */
export function evaluate(rule: Rule, figures: SlotFigures): { state: RuleState; entries: AlertEntry[] } {
  const { condition, state: before } = rule
  const isSilent = rule.silenced_until !== null && figures.slot < rule.silenced_until
  const rest = 'rest_hours' in condition ? (condition.rest_hours ?? 0) * hour : 0
  const moment = { slot: figures.slot, interval: figures.interval, isSilent, rest }
  if (condition.kind === 'event') {
    const isQuiet = isSilent || isResting(before[''] ?? nothing, moment)
    const entries = isQuiet ? [] : figures.eventsOf(condition).map((event) => eventText(condition, event))
    const isNoted = rest > 0 && entries.length > 0
    return { state: isNoted ? { '': { spoke: figures.slot } } : before, entries }
  }
  const { known, readings } = readingsOf(rule, figures)
  // The state of a subject that no longer exists is dropped without a message.
  const kept = Object.entries(before).filter(([key]) => known.has(key))
  let isChanged = kept.length < Object.keys(before).length
  const state: RuleState = Object.fromEntries(kept)
  const entries: AlertEntry[] = []
  for (const reading of readings) {
    const was = before[reading.key] ?? nothing
    const [watched, entry] = step(was, reading, moment)
    if (entry) entries.push({ ...entry, text: textOf(condition, entry) })
    if (isSame(was, watched)) continue
    isChanged = true
    state[reading.key] = watched
  }
  return { state: isChanged ? state : before, entries }
}

const nothing: Watched = {}
const fields = [
  'streak',
  'first',
  'last',
  'since',
  'value',
  'limit',
  'before',
  'told',
  'spoke',
  'idle',
] as const
const isSame = (one: Watched, other: Watched): boolean => fields.every((field) => one[field] === other[field])

interface Moment {
  slot: number
  interval: number
  isSilent: boolean
  /** Seconds after an alert in which the same subject sends no other. */
  rest: number
}

const isResting = ({ spoke }: Watched, { slot, rest }: Moment): boolean =>
  spoke !== undefined && slot - spoke < rest

/** The next state of one subject, and its message if it fires or resolves at this slot. */
function step(before: Watched, reading: Reading, moment: Moment): [Watched, UnwordedEntry?] {
  const { slot, interval, isSilent, rest } = moment
  const kept = {
    ...(reading.idle !== undefined && { idle: reading.idle }),
    // Kept while it matters, so that the state of a quiet rule does not grow.
    ...(isResting(before, moment) && { spoke: before.spoke }),
  }
  const isFiring = before.since !== undefined
  const speaksAgainst = isFiring ? reading.isClear : reading.isMet
  const isInARow = before.last !== undefined && slot - before.last <= longestPair(interval)
  const streak = speaksAgainst ? (isInARow ? (before.streak ?? 0) : 0) + 1 : 0
  const first = isInARow && streak > 1 ? (before.first ?? slot) : slot
  const { since, value, limit, told = false } = before
  const fires = { ...(since !== undefined && { since, value, limit, ...comparedWith(before), told }) }
  if (streak > 0 && streak < reading.slots) return speak({ ...fires, streak, first, last: slot, ...kept })
  if (streak === 0) return speak({ ...fires, ...kept })
  if (isFiring) {
    const resolved = { what: 'resolved' as const, ...machineOf(reading), since: first, ...seen(reading) }
    return told && !isSilent ? [kept, resolved] : [kept]
  }
  return speak({ since: reading.idle ?? first, ...seen(reading), told: false, ...kept })

  /** The state with the message that the rule fires, which is sent once. */
  function speak(watched: Watched): [Watched, UnwordedEntry?] {
    if (watched.since === undefined || watched.told || isSilent) return [watched]
    if (isResting(before, moment)) return [watched]
    const { value = null, limit = null } = watched
    const fired = {
      what: 'fired' as const,
      ...machineOf(reading),
      since: watched.since,
      value,
      limit,
      ...comparedWith(watched),
    }
    return [{ ...watched, told: true, ...(rest > 0 && { spoke: slot }) }, fired]
  }
}

const comparedWith = ({ before }: Pick<Watched, 'before'>) => (before === undefined ? {} : { before })
const seen = (reading: Reading) => ({ value: reading.value, limit: reading.limit, ...comparedWith(reading) })
const machineOf = ({ key }: Reading) => ({ machine_id: key === '' ? null : Number(key) })
