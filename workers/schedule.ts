import { advance } from './processors/advance.ts'
import { runAlerts } from './processors/alerts.ts'
import { runPrices } from './processors/autopilot.ts'
import { captureSlot } from './processors/capture.ts'
import { readListPrices } from './processors/catalogs.ts'
import { readClaims } from './processors/claims.ts'
import { writeDataFiles } from './processors/data-files.ts'
import { queueDueRuns } from './processors/due-runs.ts'
import { fillPastFlows } from './processors/fill-flows.ts'
import { keepNewForecasts } from './processors/forecasts.ts'
import { loadSlots } from './processors/load.ts'
import { deliverMessages } from './processors/mail.ts'
import { publishCompleteDays } from './processors/publish.ts'
import { purgeExpired } from './processors/purge.ts'
import { deliverAlerts } from './processors/webhooks.ts'
import type { Processor } from './work-context.ts'

/**
 * What runs when, in UTC; the first field of a pattern is the second. Each job looks for work to do, so a job that comes late, twice or not
 * at all does no harm. Where one job makes work for another it wakes that one, whose turns are for what failed. One second past the minute leaves room for clocks that differ: the database's clock decides the slot.
 */
export const schedules = {
  capture: { pattern: '1 * * * * *', processor: captureSlot },
  load: { pattern: '16,46 * * * * *', processor: loadSlots },
  alerts: { pattern: '21 * * * * *', processor: runAlerts },
  autopilot: { pattern: '26 * * * * *', processor: runPrices },
  flows: { pattern: '51 * * * * *', processor: fillPastFlows },
  advance: { pattern: '31 * * * * *', processor: advance },
  publish: { pattern: '51 */5 * * * *', processor: publishCompleteDays },
  forecasts: { pattern: '36 */5 * * * *', processor: keepNewForecasts },
  deliver: { pattern: '*/30 * * * * *', processor: deliverMessages },
  hooks: { pattern: '5/30 * * * * *', processor: deliverAlerts },
  jobs: { pattern: '1 * * * * *', processor: queueDueRuns },
  files: { pattern: '51 */10 * * * *', processor: writeDataFiles },
  catalogs: { pattern: '11 * * * * *', processor: readListPrices },
  claims: { pattern: '26 * * * * *', processor: readClaims },
  forget: { pattern: '41 13 * * * *', processor: purgeExpired },
} satisfies Record<string, { pattern: string; processor: Processor }>

export type QueueName = keyof typeof schedules
export const queueNames = Object.keys(schedules) as QueueName[]

/** What a market beside the first one needs: accounts, mail, alerts and jobs are those of the site. */
export const marketQueues: readonly QueueName[] = [
  ...(['capture', 'load', 'flows', 'publish', 'forecasts', 'files', 'forget'] as const),
]
