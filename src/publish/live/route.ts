import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { liveQuery, longestStream, type SeriesEvent } from '../../../contract/live.ts'
import { forbidden } from '../../../platform/errors.ts'
import { readNotices } from '../../../platform/http/pipeline.ts'
import { openReadCache } from '../../../platform/read-cache.ts'
import { needsMachine } from '../../../platform/security/auth.ts'
import type { Stores } from '../../../platform/stores/stores.ts'
import type { SeriesView } from '../../market/market-query/series.ts'
import { openStreams } from './streams.ts'

const lookMs = 2000
/** The pause between heartbeats: shorter than a connection may be silent (platform/http/server.ts). */
const heartbeatMs = 15_000
/** The pause between checks of the notices: a disk fills slowly, and its statement is costly. */
const noticesMs = 10_000

const description = `Server-sent events. \`slot\` is sent at once and whenever the series has changed. Its id is the revision, its data
\`{"revision", "newest_slot", "delay", "filling", "notices"}\`: the newest slot in unix seconds, the seconds by which the site shows it late, the share of the simulated history that is filled, 0 to 1, or null
when nothing is being filled, and sentences about a full disk or damaged figures. The header \`rackrate-simulated\` is \`true\` when the series holds a simulated market. A stream lasts at most ${longestStream} seconds. Reconnect then, and after any interruption: the first event carries the current revision.`

/** GET /api/v0/metrics/live: an event for each change of the series. */
export const liveRoute: FastifyPluginAsyncZod<Stores & { series: SeriesView }> = async (
  app,
  { postgres, clickhouse, series },
) => {
  const streams = openStreams()
  const notices = openReadCache<'now', string[]>({
    max: 1,
    ttl: noticesMs,
    fetchMethod: () => readNotices({ postgres, clickhouse }),
  })
  let last = ''
  async function read(): Promise<string> {
    const { revision, newest_slot, delay } = await series.state()
    const { rows } = await postgres.query<{ share: number }>('market/filling')
    const data: SeriesEvent = {
      revision,
      newest_slot,
      delay,
      filling: rows[0]?.share ?? null,
      notices: await notices.forceFetch('now'),
    }
    return `id: ${revision}\nevent: slot\ndata: ${JSON.stringify(data)}\n\n`
  }
  /** Sends a change to all streams. Returns the state of the series. */
  async function look(): Promise<string> {
    const now = await read()
    if (now !== last) streams.send(now)
    last = now
    return now
  }
  // While a store is unreachable no event is sent.
  const looking = setInterval(() => streams.count() > 0 && look().catch(() => {}), lookMs).unref()
  const beating = setInterval(() => streams.send(':\n\n'), heartbeatMs).unref()
  app.addHook('preClose', async () => {
    clearInterval(looking)
    clearInterval(beating)
    streams.endAll()
  })

  app.get(
    '/api/v0/metrics/live',
    {
      handlerTimeout: (longestStream + 10) * 1000,
      exposeHeadRoute: false,
      config: { permissions: ['machine_read'], access: 'host' },
      schema: {
        operationId: 'followSlots',
        summary: 'Stream new slots',
        description,
        tags: ['metrics'],
        querystring: liveQuery,
        produces: ['text/event-stream'],
        response: { 200: z.unknown().describe('Events') },
      },
    },
    async (request, reply) => {
      const { caller, query, routeOptions } = request
      if (needsMachine(caller, routeOptions.config.source)) throw forbidden('An active machine is required')
      const first = await look()
      const state = await series.state()
      const stream = streams.open(caller.accountId, query.seconds)
      request.leavePlace()
      stream.write(first)
      if (query.seconds === 0) stream.end()
      // The connection ends with the stream, so that a process that stops waits for none.
      reply.headers({ connection: 'close', 'x-accel-buffering': 'no' }).type('text/event-stream')
      // Pages that request nothing else of the market need this header, too.
      if (state.simulated_to > 0) reply.header('rackrate-simulated', 'true')
      return reply.send(stream)
    },
  )
}
