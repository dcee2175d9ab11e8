import type { Clock } from '../platform/clock.ts'
import type { Coverage, SampledMachine } from './coverage.ts'
import type { CollectedMarket } from './market.ts'
import type { Picture } from './sweep.ts'

/** The source of a site's market, if it is not the marketplace of its own database. */
export interface Source {
  /** The kind and place of the source, which the site records. The text has no secrets. */
  name: string
  /** False: its market has prices of available GPUs only, and does not say which GPUs are rented. */
  hasRentals: boolean
  /** Requests the current market once. Throws SourceError when the answer has no market, or only a part of it. */
  fetchMarket(request: Request): Promise<SourceAnswer>
  /** True: a request may take most of the time between two slots, because the market is requested in parts. */
  sweeps?: boolean
}

/** A call of a server. */
export interface HttpRequest {
  /** The clock for the time of the next request (`Retry-After`). */
  clock: Clock
  /** The validators of the last good answer; undefined: the source must not return "unchanged". */
  validators: Validators | undefined
  /** Ends the request. */
  signal: AbortSignal
}

/** A request to a source. */
export interface Request extends HttpRequest {
  /** The slot that the answer is for, unix seconds. */
  slot: number
  /** Seconds between slots. */
  interval: number
  /** The memory of a source whose answers have only parts of the market: the parts seen so far. Undefined: it begins anew. */
  pictures?: PictureStore | undefined
  /** Own machines: a sweep requests their GPU names first. */
  own?: OwnMachines | undefined
}

/** Own machines by the numbers of the source. */
export interface OwnMachines {
  hosts: readonly number[]
  machines: readonly number[]
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
  | {
      unchanged: false
      market: CollectedMarket
      validators: Validators
      /** Undefined: the source does not know which share of the market it shows. */
      coverage?: Coverage | undefined
    }

/** A picture with its further data. */
export interface StoredPicture extends Picture {
  /** Random samples of the market of the last slots. */
  samples: { slot: number; machines: SampledMachine[] }[]
  /** The marketplace's list of GPU names, and the slot at which it was read. */
  names: string[]
  namesAt: number
}

export interface PictureStore {
  read(): Promise<StoredPicture | undefined>
  /** Stores the picture. Only machines that changed in the slot are written. */
  write(picture: StoredPicture, slot: number): Promise<void>
}
