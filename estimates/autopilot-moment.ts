// Without zod: the page imports this, too.

/** What a rule aims at. */
export type AutopilotTarget =
  /** The recommended price. Where none is known, the machine's own results may count. */
  | { kind: 'recommended'; own_results: OwnResultsSteps | null }
  /** The price that so many percent of the available GPUs of its class undercut. */
  | { kind: 'percentile'; percentile: number }
  /** So many percent above (or, below 0, below) the median of its class. */
  | { kind: 'median'; offset_percent: number }
  /** A price, USD per GPU-hour. */
  | { kind: 'price'; price: number }
  /** The price of before a change: it is gone back to in one step, however large that is. */
  | { kind: 'undo'; price: number }

/** A step up where more percent of the machine were rented at its price, and a step down where fewer were. */
export interface OwnResultsSteps {
  raise_above: number
  lower_below: number
}

/** What holds a rule back. */
export interface AutopilotRails {
  /** USD per GPU-hour. The costs give one as well; the higher one holds. */
  floor: number | null
  ceiling: number | null
  /** The largest change at once, as a share of the price. */
  largest_step: number
  /** Fewest hours from one change to the next. */
  hours_between: number
  changes_a_day: number
  /** Hours of the day in UTC without changes, from the first up to the other one. */
  quiet: { from: number; to: number } | null
  /** What to do when nothing is rented for so many hours: to ask less than the target. */
  idle: { hours: number; drop_percent: number } | null
}

/** Everything that a decision depends on. Times are unix seconds. */
export interface AutopilotMoment {
  target: AutopilotTarget
  rails: AutopilotRails
  now: number
  /** The newest slot, the one before it, and the seconds between slots. */
  slot: number
  slot_before: number | null
  interval: number
  /** The price that is listed now; null: none. */
  price: number | null
  online: boolean
  /** Since when nothing of the machine is rented; null: something is. */
  idle_since: number | null
  /** The price that the autopilot left, and when; null: it has not changed this machine yet. */
  left: { price: number; at: number } | null
  /** When the autopilot has changed this machine, in any order. */
  changes: readonly number[]
  /** The lowest price that the costs allow; null: they are not known. */
  cost_floor: number | null
  /** What is recommended; null: nothing is known well enough. */
  recommended: number | null
  /** The share of it that was rented since its price was first seen, and the hours in which it was seen since; null: it was not seen at its price. */
  own_results: { occupancy: number; hours: number } | null
  /** The available GPUs of others of its class: their prices, cheapest first, with the GPUs at each; and of how many machines and hosts. */
  market: { asks: readonly { price: number; gpus: number }[] } & Crowd
  /** The same of its GPU name and memory, which advice compares with. */
  name_market: Crowd
}

/** How many machines of how many hosts. */
interface Crowd {
  machines: number
  hosts: number
}
