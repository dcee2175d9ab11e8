import { keysOf } from './records.ts'

/** A term of a listing. */
interface Term {
  /** `share`: 0 to 1; `time`: unix seconds. */
  measure: 'usd' | 'share' | 'time'
  /** Its name on the page. */
  title: string
  /** Its meaning in the API, with its unit. */
  meaning: string
}

/**
 * The terms of a listing, in the order of their text in the observations (terms-text.ts) and of the table `terms`. Requests, the
 * page, imports, sources and tools for assistants follow.
 */
export const terms = {
  min_bid: {
    measure: 'usd',
    title: 'Minimum bid, per GPU-hour',
    meaning: 'Lowest bid for an interruptible rental, USD per GPU-hour',
  },
  end_date: {
    measure: 'time',
    title: 'Listing ends in',
    meaning: 'Unix seconds: end of the listing, and the latest end of a rental',
  },
  credit_discount_max: {
    measure: 'share',
    title: 'Largest discount',
    meaning: 'Largest discount for prepaid credit, 0 to 1',
  },
  reliability: {
    measure: 'share',
    title: 'Reliability',
    meaning: 'Reliability according to the marketplace, 0 to 1',
  },
  storage_cost: { measure: 'usd', title: 'Storage, per GB and month', meaning: 'USD per GB and month' },
  inet_up_cost: { measure: 'usd', title: 'Sent traffic, per GB', meaning: 'USD per GB sent' },
  inet_down_cost: { measure: 'usd', title: 'Received traffic, per GB', meaning: 'USD per GB received' },
} as const satisfies Record<string, Term>

export type TermName = keyof typeof terms
export const termNames = keysOf(terms)
