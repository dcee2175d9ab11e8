import { hour } from '../contract/durations.ts'
import { exactly } from '../contract/money.ts'
import type { AutopilotMoment } from './autopilot-moment.ts'

// Without zod: the page imports this, too.

/** Own results over fewer hours are ignored. */
export const fewestOwnHours = 24

const usd = exactly(4)

/** A wanted price and its reason. */
interface Aim {
  price: number
  words: string
}

/** The wanted price before any rail, and its reason. */
export function aimOf(moment: AutopilotMoment, own: number): Aim | null {
  const aim = freeAimOf(moment, own)
  const { target, name_market } = moment
  if (aim === null || target.kind !== 'recommended') return aim
  const highest = Math.max(name_market.dearest ?? 0, own)
  if (aim.price <= highest) return aim
  return {
    price: highest,
    words: `${aim.words} No other host asks more than ${usd(name_market.dearest ?? 0)}, and how renters choose above all others is not known.`,
  }
}

/** The wanted price, also above the prices of all others, and its reason. */
function freeAimOf(moment: AutopilotMoment, own: number): Aim | null {
  const wanted = wantedBy(moment)
  const { idle_since, now, rails } = moment
  // Own results lower an idle machine's price already, so the idle discount is not added.
  if (wanted === null) return stepByResults(moment, own)
  const idle = idleStep(moment, own)
  if (idle !== null && wanted.price > idle.price) return idle
  if (rails.idle === null || idle_since === null) return wanted
  const hours = Math.floor((now - idle_since) / hour)
  if (hours < rails.idle.hours) return wanted
  const price = wanted.price * (1 - rails.idle.drop_percent / 100)
  return {
    price,
    words: `${wanted.words} Idle for ${hours} h, so ${rails.idle.drop_percent} % less: ${usd(price)}.`,
  }
}

/** The price that own results suggest, if the rule uses them. */
function stepByResults({ target, rails, own_results }: AutopilotMoment, own: number): Aim | null {
  const steps = target.kind === 'recommended' ? target.own_results : null
  if (steps === null || own_results === null || own_results.hours < fewestOwnHours) return null
  const percent = 100 * own_results.occupancy
  const words = `No price is recommended. Since its price of ${usd(own)} was first seen, it was rented ${Math.round(percent)} % of ${Math.round(own_results.hours)} h`
  if (percent > steps.raise_above)
    return {
      price: own * (1 + rails.largest_step),
      words: `${words}: more than ${steps.raise_above} %, so one step up.`,
    }
  if (percent < steps.lower_below)
    return {
      price: own * (1 - rails.largest_step),
      words: `${words}: less than ${steps.lower_below} %, so one step down.`,
    }
  return { price: own, words: `${words}: neither much nor little.` }
}

/**
 * A step down of a machine that hardly rents at its price: in half of the share at which own results lower a price. A recommendation knows
 * renters of its class, and may have raised this machine too far.
 */
function idleStep({ target, rails, own_results }: AutopilotMoment, own: number): Aim | null {
  const steps = target.kind === 'recommended' ? target.own_results : null
  if (steps === null || own_results === null || own_results.hours < 2 * fewestOwnHours) return null
  const percent = 100 * own_results.occupancy
  if (percent >= steps.lower_below / 2) return null
  return {
    price: own * (1 - rails.largest_step),
    words: `Since its price of ${usd(own)} was first seen, it was rented ${Math.round(percent)} % of ${Math.round(own_results.hours)} h, whatever is recommended: less than ${steps.lower_below / 2} %, so one step down.`,
  }
}

/** The reason why there is no wanted price. */
export function noTargetWords({ target, own_results }: AutopilotMoment): string {
  const words = 'No price is recommended: too little is known of this machine.'
  if (target.kind !== 'recommended' || target.own_results === null) return words
  const seen = own_results === null ? 'not at all' : `for ${Math.floor(own_results.hours)} h`
  return `${words} Its own results count after ${fewestOwnHours} h at its price, at which it was seen ${seen}.`
}

function wantedBy({ target, recommended, market }: AutopilotMoment): Aim | null {
  if (target.kind === 'price')
    return { price: target.price, words: `The price wanted is ${usd(target.price)}.` }
  if (target.kind === 'undo')
    return { price: target.price, words: `The price of before is ${usd(target.price)}.` }
  if (target.kind === 'recommended')
    return recommended === null
      ? null
      : { price: recommended, words: `The recommended price is ${usd(recommended)}.` }
  const isMedian = target.kind === 'median'
  const found = priceAtShare(market.asks, isMedian ? 0.5 : target.percentile / 100)
  if (found === null) return null
  if (!isMedian)
    return { price: found, words: `Percentile ${target.percentile} of its class is ${usd(found)}.` }
  const price = found * (1 + target.offset_percent / 100)
  const offset = target.offset_percent === 0 ? '' : `, ${target.offset_percent} % on it ${usd(price)}`
  return { price, words: `The median of its class is ${usd(found)}${offset}.` }
}

/** The price at which the given share of the GPUs costs the same or less, by nearest rank; null: there are no GPUs. */
export function priceAtShare(asks: readonly { price: number; gpus: number }[], share: number): number | null {
  const all = asks.reduce((sum, { gpus }) => sum + gpus, 0)
  let seen = 0
  for (const { price, gpus } of asks) {
    seen += gpus
    if (seen >= share * all && seen > 0) return price
  }
  return null
}
