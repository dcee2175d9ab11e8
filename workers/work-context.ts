import type { Catalog } from '../collect/catalog.ts'
import type { Source } from '../collect/source.ts'
import type { Clock } from '../platform/clock.ts'
import type { Metrics } from '../platform/http/prometheus.ts'
import type { Vault } from '../platform/security/vault.ts'
import type { Stores } from '../platform/stores/stores.ts'
import type { Carrier } from '../src/companion/outbox/carriers.ts'
import type { CallForJob, Run } from '../src/companion/schedule/execute.ts'
import type { OpenData } from '../src/publish/data/publish.ts'
import type { SendHook } from '../src/rules/webhook/send.ts'

export interface WorkerLog {
  info(details: object, message: string): void
  error(details: object, message: string): void
}

/** What processors work with. */
export interface WorkContext extends Stores {
  clock: Clock
  vault: Vault
  carriers: Record<'email' | 'sms', Carrier>
  /** How alerts and prices reach webhooks. */
  sendHook: SendHook
  /** A program of the operator that sets prices of sources; undefined: there is none. */
  autopilotCommand?: readonly string[] | undefined
  /** Where clients reach the API and the page; undefined: not known here. */
  publicUrl?: string | undefined
  /** How users' scheduled jobs call the API. */
  callApi: CallForJob
  /** Where the market comes from; undefined: from the marketplace's tables. */
  source?: Source | undefined
  /** The name of the source whose market this is; undefined: it is the first one, or the only one. */
  market?: string | undefined
  /** The markets of all sources but the first, in the context of that; rules watch all of them. */
  markets?: readonly (Stores & { name: string })[] | undefined
  /** Where list prices of clouds come from; undefined: none are read. */
  catalog?: Catalog | undefined
  /** Seconds between slots. */
  snapshotInterval: number
  /** Days that a snapshot stays in the spool after it was loaded. */
  spoolRetention: number
  /** Files of open data; undefined: none are made. */
  openData?: OpenData | undefined
  metrics?: Metrics | undefined
  log: WorkerLog
  /** Aborts when the process stops. */
  stopping: AbortSignal
  /** Runs the job of a queue now instead of at its next turn, where this process has the queue. */
  wake(name: 'load' | 'alerts' | 'autopilot' | 'mail' | 'webhooks'): Promise<unknown>
  /** Queues the run of a user's job. */
  queueRun(run: Run): Promise<unknown>
}

/** Does a job. It throws when it fails, and BullMQ tries again. What it returns is logged. */
export type Processor = (context: WorkContext, data: unknown) => Promise<unknown>
