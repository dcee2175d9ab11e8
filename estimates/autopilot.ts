import type { AutopilotRefusal } from '../contract/autopilot-kinds.ts'
import { hour } from '../contract/durations.ts'
import { exactly } from '../contract/money.ts'
import type { AutopilotMoment, AutopilotRails } from './autopilot-moment.ts'
import { aimOf, noTargetWords } from './autopilot-target.ts'

// Without zod: the page imports this, too.

/** A price decision with its reason. `stops`: the rule must be stopped. */
export type AutopilotVerdict =
  | { kind: 'change'; price: number; reason: string }
  | { kind: 'refusal'; refusal: AutopilotRefusal; stops: boolean; reason: string }
  | { kind: 'none'; reason: string }

/** With fewer machines or hosts a class is thin, as in the history. */
export const fewestMachines = 5
export const fewestHosts = 3

/** Smaller changes are not made. */
const smallestChange = 0.005

const day = 24 * hour
const usd = exactly(4)

const refuse = (refusal: AutopilotRefusal, reason: string, stops = false): AutopilotVerdict => ({
  kind: 'refusal',
  refusal,
  stops,
  reason,
})

/**
 * Decides on the price of a machine at a slot. The rails apply after the target, and the floor after all other rails. Unknown input leads
 * to a refusal, never to a change.
 */
export function decidePrice(moment: AutopilotMoment): AutopilotVerdict {
  const { rails, price } = moment
  if (price === null || !moment.online)
    return refuse('not_listed', 'The machine is not on the market now, so it has no price to change.')
  const distrust = distrustOf(moment, price)
  if (distrust) return distrust
  const floor = floorOf(moment)
  if (floor === null)
    return refuse(
      'no_floor',
      'There is no floor. Enter the costs of the machine, or give the rule a floor, so that no price can lose money.',
    )
  if (rails.ceiling !== null && floor > rails.ceiling)
    return refuse(
      'floor_above_ceiling',
      `The floor of ${usd(floor)} is above the ceiling of ${usd(rails.ceiling)}. Raise the ceiling, or look at the costs.`,
    )
  if (floor > highestFloor(moment, price))
    return refuse(
      'floor_beyond_step',
      `The floor of ${usd(floor)} is ${timesOf(floor / price)} times the price of ${usd(price)}: further than one step of ${percentOf(rails.largest_step)} %. Are the costs right, and the floor of the rule? If they are, set the price at the marketplace once.`,
    )
  const thin = thinWords(moment)
  if (thin) return refuse('thin', thin)
  const aim = aimOf(moment, price)
  if (aim === null) return refuse('no_target', noTargetWords(moment))
  const isUndo = moment.target.kind === 'undo'
  const [bounded, bounds] = boundedBy(
    aim.price,
    price,
    floor,
    isUndo ? { ...rails, largest_step: null } : rails,
  )
  // A price that a person chose is set exactly.
  const least = isUndo || moment.target.kind === 'price' ? 0 : smallestChange * price
  if (Math.abs(bounded - price) < least && price >= floor)
    return { kind: 'none', reason: `${aim.words} The price of ${usd(price)} is near enough.` }
  if (bounded === price) return { kind: 'none', reason: `${aim.words} The price of ${usd(price)} is right.` }
  const words = `${aim.words} From ${usd(price)} to ${usd(bounded)}${bounds.length > 0 ? `: ${bounds.join(', ')}` : ''}.`
  if (moment.rental && bounded > price && moment.target.kind !== 'price' && !isUndo)
    return refuse('running_rental', `${words} ${waitForEnd(moment.rental)}`)
  return waitOf(moment, words) ?? { kind: 'change', price: bounded, reason: words }
}

/**
 * The reason why the other machines show too little, if they are few. A price that a person chose does not depend on them, and a recommended
 * price is an estimate from all GPU types.
 */
function thinWords({ target, recommended, market, name_market }: AutopilotMoment): string | undefined {
  if (target.kind === 'price' || target.kind === 'undo') return undefined
  const isAdvised = target.kind === 'recommended'
  if (isAdvised && recommended !== null) return undefined
  const { machines, hosts } = isAdvised ? name_market : market
  if (machines >= fewestMachines && hosts >= fewestHosts) return undefined
  return `Too few machines of other hosts ${isAdvised ? 'with its GPU' : 'of its class'} are available: less than ${fewestMachines} machines of ${fewestHosts} hosts say too little.`
}

const waitForEnd = ({ until }: { until: number | null }): string =>
  `It waits for the end of the running rental${until === null ? '' : ` on ${new Date(until * 1000).toISOString().slice(0, 10)}`}: before, a higher price would be a request to the renter. A rule makes none.`

/** The reason not to trust the data or the listing, if any. */
function distrustOf(
  { now, slot, slot_before, interval, left }: AutopilotMoment,
  price: number,
): AutopilotVerdict | undefined {
  if (slot - now > interval)
    return refuse('clock', 'The newest snapshot is of the future: a clock was changed. Nothing is done.')
  if (now - slot > 2 * interval)
    return refuse('stale', `The newest snapshot is ${minutes(now - slot)} old, more than two slots.`)
  if (slot_before === null || slot - slot_before > 1.5 * interval)
    return refuse(
      'gap',
      'The snapshot before the newest one is missing: what changed in between is not known.',
    )
  if (left === null || isSamePrice(left.price, price)) return undefined
  // A slot from before the change still shows the old price.
  if (slot <= left.at)
    return refuse('not_seen_yet', `The change to ${usd(left.price)} is not in a snapshot yet.`)
  return refuse(
    'changed_elsewhere',
    `The price is ${usd(price)}, and the autopilot left ${usd(left.price)}: somebody else has changed it. The rule stops, so that it does not undo what a person did.`,
    true,
  )
}

/** Prices have nine decimals at most. */
export const isSamePrice = (one: number, other: number): boolean => Math.abs(one - other) < 1e-9

/** The higher one of the rule's floor and the costs' floor. */
export function floorOf({ rails, cost_floor }: Pick<AutopilotMoment, 'rails' | 'cost_floor'>): number | null {
  if (rails.floor === null) return cost_floor
  return cost_floor === null ? rails.floor : Math.max(rails.floor, cost_floor)
}

/** The highest floor that a price is raised to: one step above it, and for an undo above the price of before. A higher floor may be a typo. */
function highestFloor({ target, rails }: AutopilotMoment, price: number): number {
  const from = target.kind === 'undo' ? Math.max(price, target.price) : price
  return from * (1 + rails.largest_step) + 1e-9
}

const percentOf = (share: number): number => Number((100 * share).toFixed(2))
const timesOf = (ratio: number): number => Number(ratio.toPrecision(3))

/** Applies the step (null: any), the ceiling, and last the floor, which overrides the others. Returns the rails that applied. */
function boundedBy(
  aim: number,
  price: number,
  floor: number,
  { ceiling, largest_step }: Pick<AutopilotRails, 'ceiling'> & { largest_step: number | null },
): [number, string[]] {
  const bounds: string[] = []
  let bounded = aim
  if (largest_step !== null) {
    bounded = Math.min(Math.max(aim, price * (1 - largest_step)), price * (1 + largest_step))
    if (bounded !== aim) bounds.push(`one step is at most ${percentOf(largest_step)} %`)
    bounded = Number(bounded.toPrecision(4))
  }
  if (ceiling !== null && bounded > ceiling) {
    bounded = ceiling
    bounds.push(`the ceiling is ${usd(ceiling)}`)
  }
  if (bounded < floor) {
    bounded = floor
    bounds.push(`the floor is ${usd(floor)}`)
  }
  return [bounded, bounds]
}

/** The reason why a change has to wait, if any. */
function waitOf({ now, changes, rails }: AutopilotMoment, words: string): AutopilotVerdict | undefined {
  const { quiet, hours_between, changes_a_day } = rails
  if (quiet !== null && isQuiet(new Date(now * 1000).getUTCHours(), quiet))
    return refuse('quiet', `${words} It waits for the end of the quiet hours at ${quiet.to}:00 UTC.`)
  // A change in the future was made before a clock was set back. It counts as a change now.
  const newest = changes.reduce((top, at) => Math.max(top, at), Number.NEGATIVE_INFINITY)
  if (now - newest < hours_between * hour)
    return refuse(
      'too_soon',
      `${words} It waits: the last change was ${minutes(Math.max(0, now - newest))} ago, and the rule leaves at least ${hours_between} h.`,
    )
  if (changes.filter((at) => now - at < day).length >= changes_a_day)
    return refuse(
      'too_many',
      `${words} It waits: ${changes_a_day} changes were made within 24 h, the most that the rule makes.`,
    )
  return undefined
}

const isQuiet = (of: number, { from, to }: { from: number; to: number }): boolean =>
  from <= to ? of >= from && of < to : of >= from || of < to

const minutes = (seconds: number): string =>
  seconds < 2 * hour ? `${Math.round(seconds / 60)} min` : `${(seconds / hour).toFixed(1)} h`
