import type { Market } from './market.ts'

/** Where a site's market comes from, when it is not the marketplace of its own database. */
export interface Source {
  /** Its kind and place, which the site remembers. It has no secrets. */
  name: string
  /** Asks once for the market as it is. Throws SourceError when there is no market in the answer, or only a part of it. */
  listen(request: Request): Promise<Heard>
}

/** A request to a source. */
export interface Request {
  /** The slot that the answer is for, unix seconds. */
  slot: number
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

export type Heard = { unchanged: true } | { unchanged: false; market: Market; validators: Validators }
