import type { Clock } from '../platform/clock.ts'
import type { CollectedMarket } from './market.ts'

/** Where a site's market comes from, when it is not the marketplace of its own database. */
export interface Source {
  /** Its kind and place, which the site remembers. It has no secrets. */
  name: string
  /** Asks once for the market as it is. Throws SourceError when there is no market in the answer, or only a part of it. */
  fetchMarket(request: Request): Promise<SourceAnswer>
}

/** A request to a source. */
export interface Request {
  /** The slot that the answer is for, unix seconds. */
  slot: number
  /** By which the source says when it wants to be asked again. */
  clock: Clock
  /** Those of the last good answer; undefined: a source must not say that nothing has changed. */
  validators: Validators | undefined
  /** Ends the request. */
  signal: AbortSignal
}

/** With these a source can tell whether its market has changed. */
export interface Validators {
  etag?: string | undefined
  last_modified?: string | undefined
  /** The time that the market of the answer is of, unix seconds; absent: it does not say. */
  as_of?: number | undefined
  /** A mark of the mapping with which the answer was read: with another one it means something else. */
  map?: string | undefined
}

export type SourceAnswer =
  | { unchanged: true }
  | { unchanged: false; market: CollectedMarket; validators: Validators }
