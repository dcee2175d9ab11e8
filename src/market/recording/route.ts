import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { listSources } from '../../../collect/sources.ts'
import { type QueueState, recordingAnswer } from '../../../contract/recording.ts'
import type { Clock } from '../../../platform/clock.ts'
import { within } from '../../../platform/http/pipeline.ts'
import type { Stores } from '../../../platform/stores/stores.ts'
import { type RecordedMarket, readRecording } from './market.ts'

export interface QueueReader {
  store: 'Redis' | 'PostgreSQL'
  /** The states of the queues of the site and of each collected market, now (unix seconds). */
  read(now: number): Promise<QueueState[]>
}

interface Options extends Stores {
  clock: Clock
  /** The markets of all sources except the first. */
  markets: readonly (Stores & { name: string })[]
  /** undefined: this process cannot read the queues. */
  queues: QueueReader | undefined
}

/** GET /api/v0/metrics/recording: the health of the recording, for admins. A store that is away hides its own parts only. */
export const recordingRoute: FastifyPluginAsyncZod<Options> = async (
  app,
  { postgres, clickhouse, clock, markets, queues },
) => {
  app.get(
    '/api/v0/metrics/recording',
    {
      config: { permissions: ['machine_read'], access: 'admin' },
      schema: {
        operationId: 'getRecording',
        summary: 'Health of the recording',
        description:
          'For each market of the site the snapshots of the newest seven days, gaps, the pipeline, checks, the disk and the newest backup, and the queues of the workers. Parts that do not answer within seconds are null.',
        tags: ['metrics'],
        response: { 200: recordingAnswer },
      },
    },
    async () => {
      const sources = await listSources(postgres)
      const named = (wanted: string) => sources.find(({ name }) => name === wanted)
      const first = sources.find(({ is_first }) => is_first)
      const all: RecordedMarket[] = [
        {
          postgres,
          clickhouse,
          name: first?.name ?? null,
          isFirst: true,
          isCollected: first?.is_collected ?? true,
        },
        ...markets.map(({ name, postgres, clickhouse }) => ({
          postgres,
          clickhouse,
          name,
          isFirst: false,
          isCollected: named(name)?.is_collected ?? false,
        })),
      ]
      const at = clock.now()
      const [states, ...recorded] = await Promise.all([
        queues ? within(queues.read(at)).catch(() => null) : null,
        ...all.map((market) => readRecording(market, clock)),
      ])
      return {
        success: true as const,
        at,
        markets: recorded,
        queues: states,
        queue_store: queues?.store ?? null,
      }
    },
  )
}
