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

/** The stores, clients and settings that processors work with. */
export interface WorkContext extends Stores {
  clock: Clock
  vault: Vault
  carriers: Record<'email' | 'sms', Carrier>
  /** Sends alerts and prices to webhooks. */
  sendHook: SendHook
  /** The operator's program that sets prices of sources; undefined: none. */
  autopilotCommand?: readonly string[] | undefined
  /** The URL at which clients reach the API and the page; undefined: unknown here. */
  publicUrl?: string | undefined
  /** Calls the API for users' scheduled jobs. */
  callApi: CallForJob
  /** The source of the market; undefined: the marketplace's tables. */
  source?: Source | undefined
  /** The name of the source of this market; undefined: this is the first or only market. */
  market?: string | undefined
  /** The markets of all sources except the first, in the context of the first market. Rules watch all of them. */
  markets?: readonly (Stores & { name: string })[] | undefined
  /** The source of clouds' list prices; undefined: none are read. */
  catalog?: Catalog | undefined
  /** Seconds between slots. */
  snapshotInterval: number
  /** Days that a snapshot stays in the spool after it was loaded. */
  spoolRetention: number
  /** Writes files of open data; undefined: none are written. */
  openData?: OpenData | undefined
  metrics?: Metrics | undefined
  log: WorkerLog
  /** Aborts when the process stops. */
  stopping: AbortSignal
  /** Runs the job of a queue now instead of at its next scheduled time, if this process has the queue. */
  wake(name: 'load' | 'alerts' | 'autopilot' | 'mail' | 'webhooks'): Promise<unknown>
  /** Queues the run of a user's job. */
  queueRun(run: Run): Promise<unknown>
}

/** Runs a job. If it throws, BullMQ retries. The returned value is logged. */
export type Processor = (context: WorkContext, data: unknown) => Promise<unknown>
