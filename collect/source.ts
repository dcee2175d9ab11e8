import type { Clock } from '../platform/clock.ts'
import type { CollectedMarket } from './market.ts'

/** The source of a site's market, if it is not the marketplace of its own database. */
export interface Source {
  /** Its kind and place, which the site records. It has no secrets. */
  name: string
  /** Requests the current market once. Throws SourceError when the answer has no market, or only a part of it. */
  fetchMarket(request: Request): Promise<SourceAnswer>
}

/** A request to a source. */
export interface Request {
  /** The slot that the answer is for, unix seconds. */
  slot: number
  /** The clock for the time of the next request (`Retry-After`). */
  clock: Clock
  /** The validators of the last good answer; undefined: the source must not return "unchanged". */
  validators: Validators | undefined
  /** Ends the request. */
  signal: AbortSignal
}

/** Values by which a source detects that its market has not changed. */
export interface Validators {
  etag?: string | undefined
  last_modified?: string | undefined
  /** Unix seconds of the market in the answer; absent: not reported. */
  as_of?: number | undefined
  /** A mark of the mapping that the answer was read with. With another mapping the answer must be read again. */
  map?: string | undefined
}

export type SourceAnswer =
  | { unchanged: true }
  | { unchanged: false; market: CollectedMarket; validators: Validators }
