import { z } from 'zod'
import { epochOut, named } from './fields.ts'

const recordedHour = z.object({
  hour: epochOut,
  expected: z.int().describe('Snapshots that the hour has, at the present interval'),
  recorded: z.int().describe('Snapshots that readers see'),
})

export const gapCauses = ['not_taken', 'waiting', 'not_loaded', 'lost'] as const

const recordingGap = named('RecordingGap', {
  from: epochOut.describe('The first missing snapshot'),
  to: epochOut.describe('The first snapshot after the gap, or the present'),
  slots: z.int().describe('Missing snapshots'),
  cause: z
    .enum(gapCauses)
    .describe(
      '`not_taken`: no worker ran, or the source gave no market. `waiting`: in PostgreSQL, to be loaded. `not_loaded`: in PostgreSQL, but marked as loaded. `lost`: in neither store',
    ),
  fix: z.string().nullable().describe('The command that closes the gap; null: there is none'),
})
export type RecordingGap = z.infer<typeof recordingGap>

/** Each part is null while the store that has it does not answer. */
export const marketRecording = named('MarketRecording', {
  name: z.string().nullable().describe("The name of the source; null: the site's own marketplace"),
  is_collected: z.boolean().describe('false: its snapshots ended, and its history stays'),
  away: z.array(z.enum(['postgres', 'clickhouse'])).describe('Stores that do not answer'),
  series: z
    .object({
      newest_slot: epochOut.nullable().describe('null: there is no snapshot yet'),
      is_simulated: z.boolean(),
      is_empty: z.boolean().describe('true: no snapshot has a machine yet'),
      filling: z
        .number()
        .min(0)
        .max(1)
        .nullable()
        .describe('The finished share of a simulated history; null: no history is being generated'),
    })
    .nullable(),
  recorded: z
    .object({
      from: epochOut.describe('Seven days ago, or the first snapshot'),
      to: epochOut.describe('The end of the newest snapshot that is due'),
      interval: z.int().describe('Seconds between snapshots'),
      expected: z.int(),
      recorded: z.int(),
      hours: z.array(recordedHour),
      gaps: z.array(recordingGap).describe('The longest 20, the newest first'),
      further_gaps: z.int().describe('Number of shorter gaps'),
    })
    .nullable()
    .describe('The newest seven days. null: there is no snapshot yet, or a store does not answer'),
  pipeline: z
    .object({
      waiting_snapshots: z.int().describe('Snapshots in PostgreSQL that are to be loaded into ClickHouse'),
      pending_rollups: z.int().describe('Ranges whose derived rows are to be computed'),
      filled_since: epochOut.describe(
        'Derived rows before it are to be computed after an upgrade; 0: all are there',
      ),
      damages: z.array(z.object({ problem: z.string(), mended: z.boolean() })),
      source: z
        .object({ failures: z.int(), problem: z.string().nullable(), notice: z.string().nullable() })
        .nullable()
        .describe('The newest request to the source; null: the market is recorded from the own tables'),
    })
    .nullable(),
  checked: z
    .object({
      days: z.int(),
      checked: z.int().describe('Days without problems since their rows last changed'),
      in_part: z.int().describe('Days among them of which a part could not be checked'),
      with_problems: z.int(),
      oldest: epochOut.nullable().describe('The oldest check that counts'),
    })
    .nullable()
    .describe('The days that `rackrate check --for` has checked'),
  disk: z
    .object({
      room: z.number().describe('Bytes that ClickHouse may still write'),
      reserve: z.number().describe('Bytes that it keeps free in addition'),
      problem: z.string().nullable(),
    })
    .nullable()
    .describe('null: the tables are on no local disk, or ClickHouse does not answer'),
  backup: z
    .object({
      newest: z.object({ name: z.string(), at: epochOut, bytes: z.number() }).nullable(),
    })
    .nullable()
    .describe('The newest backup that `rackrate backup` made'),
})
export type MarketRecording = z.infer<typeof marketRecording>

const queueState = named('QueueState', {
  name: z.string(),
  market: z.string().nullable().describe('Its source; null: the first market, and the site'),
  active: z.int().describe('Jobs that run'),
  waiting: z.int(),
  failed: z.int().describe('Jobs that failed in the last day, after all attempts'),
  failed_at: epochOut.nullable().describe('The newest of them'),
  reason: z.string().nullable().describe('Its error'),
  done_at: epochOut.nullable().describe('The newest job that succeeded'),
})
export type QueueState = z.infer<typeof queueState>

export const recordingAnswer = z.object({
  success: z.literal(true),
  at: epochOut,
  markets: z.array(marketRecording).describe('The first market first'),
  queues: z
    .array(queueState)
    .nullable()
    .describe('The queues of the site and of each collected market. null: their store does not answer'),
  queue_store: z.enum(['Redis', 'PostgreSQL']).nullable().describe('null: this process cannot read queues'),
})
export type RecordingAnswer = z.infer<typeof recordingAnswer>
