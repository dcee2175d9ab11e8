// Without zod: the page imports this, too.

/** The goal of a rule. */
export type AutopilotTarget =
  /** The recommended price. If there is none, the machine's own results may apply. */
  | { kind: 'recommended'; own_results: OwnResultsSteps | null }
  /** A percentile of the prices of the available GPUs of its class. */
  | { kind: 'percentile'; percentile: number }
  /** The median of its class plus a percentage (negative: minus). */
  | { kind: 'median'; offset_percent: number }
  /** A price, USD per GPU-hour. */
  | { kind: 'price'; price: number }
  /** The price before a change: the price returns to it in one step of any size. */
  | { kind: 'undo'; price: number }

/** One step up if the machine's occupancy at its price exceeds `raise_above` percent, one step down below `lower_below`. */
export interface OwnResultsSteps {
  raise_above: number
  lower_below: number
}

/** The limits of a rule. */
export interface AutopilotRails {
  /** USD per GPU-hour. The costs give another floor; the higher one applies. */
  floor: number | null
  ceiling: number | null
  /** The largest change at once, as a share of the price. */
  largest_step: number
  /** The least number of hours between two changes. */
  hours_between: number
  changes_a_day: number
  /** Hours of the day in UTC without changes; `to` is excluded. */
  quiet: { from: number; to: number } | null
  /** Lowers the target by a percentage after the given hours without a rental. */
  idle: { hours: number; drop_percent: number } | null
}

/** All input of a decision. Times are unix seconds. */
export interface AutopilotMoment {
  target: AutopilotTarget
  rails: AutopilotRails
  now: number
  /** The newest slot, the one before it, and the seconds between slots. */
  slot: number
  slot_before: number | null
  interval: number
  /** The listed price; null: the machine is not listed. */
  price: number | null
  online: boolean
  /** Time since which nothing of the machine is rented; null: something is rented. */
  idle_since: number | null
  /** A running rental at a marketplace that asks its renter to accept a higher price, with its end (null: not known). Absent: none is known. */
  rental?: { until: number | null } | undefined
  /** The last price that the autopilot set, and when; null: it has not changed this machine yet. */
  left: { price: number; at: number } | null
  /** Times of the autopilot's changes of this machine, in any order. */
  changes: readonly number[]
  /** The lowest price that the costs allow; null: the costs are unknown. */
  cost_floor: number | null
  /** The recommended price; null: there is too little data for one. */
  recommended: number | null
  /** Occupancy of the machine since its price was first seen, and hours seen since then; null: it was not seen at its price. */
  own_results: { occupancy: number; hours: number } | null
  /**
   * The available GPUs of other hosts in its class: prices, cheapest first, with the GPUs at each; and the numbers of machines and hosts.
   */
  market: { asks: readonly { price: number; gpus: number }[] } & Crowd
  /**
   * The numbers of machines and hosts of its GPU name and memory, which the advice compares with, and the dearest price of other hosts; null:
   * there is none.
   */
  name_market: Crowd & { dearest: number | null }
}

/** Numbers of machines and of hosts. */
interface Crowd {
  machines: number
  hosts: number
}
