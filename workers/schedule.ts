import { readCatalog } from '../collect/catalog.ts'
import { readOfficialServers } from '../collect/read-official.ts'
import { keysOf } from '../contract/records.ts'
import { fillPast } from '../ingest/fill-past.ts'
import { mendSeries } from '../ingest/mend.ts'
import { publishDays } from '../ingest/publish-days.ts'
import { advanceMarket } from '../simulate/live.ts'
import { runRules } from '../src/alerts/run.ts'
import { deliverHooks } from '../src/alerts/webhook/deliver.ts'
import { runAutopilot } from '../src/autopilot/run.ts'
import { deliver } from '../src/companion/outbox/deliver.ts'
import { dueRuns } from '../src/companion/schedule/execute.ts'
import { keepAdvice } from '../src/hosts/advice/keep-advice.ts'
import { readWithKeys } from '../src/hosts/claims/read-with-keys.ts'
import { storeForecasts } from '../src/market/forecast/stored.ts'
import { publish } from '../src/publish/data/publish.ts'
import { openMarkets } from '../src/rules/markets.ts'
import { captureSlot } from './processors/capture.ts'
import { loadSlots } from './processors/load.ts'
import { purge } from './processors/purge.ts'
import type { Processor } from './work-context.ts'

interface Schedule {
  /** A cron pattern in UTC; its first field is the second. */
  pattern: string
  processor: Processor
}

/**
 * The queues, each with its schedule. Each job looks for work to do, so a job that comes late, twice or not at all does no harm.
 * A job wakes the next one directly; the next one's own schedule only retries failures. One second past the minute leaves room
 * for clocks that differ: the database's clock decides the slot.
 */
export const schedules = {
  /** Captures the current slot. */
  capture: { pattern: '1 * * * * *', processor: captureSlot },

  /** Loads waiting snapshots into ClickHouse. */
  load: { pattern: '16,46 * * * * *', processor: loadSlots },

  /** Evaluates alert rules at loaded slots. */
  alerts: {
    pattern: '21 * * * * *',
    async processor({ stopping, wake, ...stores }) {
      const messages = await runRules(stores, stopping)
      if (messages > 0) await Promise.all([wake('mail'), wake('webhooks')])
      return messages
    },
  },

  /** Decides on the prices of own machines at loaded slots, and carries out the decisions. */
  autopilot: {
    pattern: '26 * * * * *',
    async processor({ stopping, wake, ...stores }) {
      const decisions = await runAutopilot(stores, stopping)
      if (decisions > 0) await wake('mail')
      return decisions
    },
  },

  /** Computes derived rows of the past after an upgrade. Slots are loaded in between. */
  backfill: {
    pattern: '51 * * * * *',
    processor: ({ stopping, ...stores }) => fillPast(stores, stopping),
  },

  /** Advances a simulated market to the current slot. */
  advance: {
    pattern: '31 * * * * *',
    processor: ({ postgres, snapshotInterval }) => advanceMarket(postgres, { interval: snapshotInterval }),
  },

  /** Publishes complete days. */
  publish: {
    pattern: '51 */5 * * * *',
    processor: ({ stopping, ...stores }) => publishDays(stores, stopping),
  },

  /** Stores the forecasts of the newest hour, which are scored when their outcome is known. */
  forecasts: {
    pattern: '36 */5 * * * *',
    processor: ({ stopping, ...context }) => storeForecasts(context, stopping),
  },

  /** Keeps the advice on own machines once a day, and its outcomes a week later. */
  advice: {
    pattern: '16 */5 * * * *',
    async processor({ snapshotInterval: interval, stopping: stop, ...stores }) {
      let accounts = 0
      for (const market of openMarkets(stores))
        accounts += await keepAdvice(market, { site: stores.postgres, interval, stop })
      return accounts
    },
  },

  /** Sends the mail and SMS in the outbox. */
  mail: {
    pattern: '*/30 * * * * *',
    processor: ({ postgres, vault, carriers, stopping }) => deliver(postgres, vault, carriers, stopping),
  },

  /** Sends alerts to webhooks. */
  webhooks: {
    pattern: '5/30 * * * * *',
    processor: ({ postgres, clock, vault, sendHook, stopping }) =>
      deliverHooks({ postgres, clock, vault, send: sendHook }, stopping),
  },

  /** Queues a run of each scheduled job that is due. */
  'job-runs': {
    pattern: '1 * * * * *',
    async processor({ postgres, clock, queueRun }) {
      const due = await dueRuns(postgres, clock.now())
      for (const run of due) await queueRun(run)
      return due.length
    },
  },

  /** Writes the files of open data that are missing or out of date. */
  'open-data': {
    pattern: '51 */10 * * * *',
    processor: async ({ openData, stopping, ...stores }) => openData && publish(stores, openData, stopping),
  },

  /** Reads the list prices of providers that were read an hour ago. */
  'list-prices': {
    pattern: '11 * * * * *',
    async processor({ catalog, stopping, ...stores }) {
      if (!catalog) return undefined
      const reading = await readCatalog(stores, catalog, stopping)
      return Object.keys(reading).length > 0 ? reading : undefined
    },
  },

  /** Reads the newest aggregates of official servers, and the past that is not read yet. */
  official: {
    pattern: '46 * * * * *',
    async processor({ stopping, ...site }) {
      const { parts, rows } = await readOfficialServers(site, { stopping, most: 60 })
      return parts > 0 ? { parts, rows } : undefined
    },
  },

  /** Reads own machines and their earnings with the keys of claims. */
  claims: {
    pattern: '26 * * * * *',
    async processor(context) {
      const { read, failed } = await readWithKeys(context)
      return failed > 0 ? { read, failed } : undefined
    },
  },

  /** Looks for broken parts and missing rows of the series, and computes them again. */
  mend: {
    pattern: '21 37 * * * *',
    async processor({ postgres, clickhouse, log, stopping }) {
      const { broken, hours, reloaded, lost } = await mendSeries({ postgres, clickhouse }, stopping)
      for (const problem of [...broken, ...lost]) log.error({}, problem)
      return hours > 0 || reloaded > 0 ? { hours, reloaded } : undefined
    },
  },

  /** Removes rows whose retention is over. */
  purge: {
    pattern: '41 13 * * * *',
    processor: ({ spoolRetention, stopping, ...stores }) => purge(stores, spoolRetention, stopping),
  },
} satisfies Record<string, Schedule>

export type QueueName = keyof typeof schedules
export const queueNames = keysOf(schedules)

/** The queues of a market beside the first one. Accounts, mail, alerts and jobs are shared by all markets of the site. */
export const marketQueues: readonly QueueName[] = [
  'capture',
  'load',
  'backfill',
  'publish',
  'forecasts',
  'open-data',
  'mend',
  'purge',
]
