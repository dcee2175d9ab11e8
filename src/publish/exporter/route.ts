import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { openReadCache } from '../../../platform/read-cache.ts'
import { needsMachine } from '../../../platform/security/auth.ts'
import type { ClickHouse } from '../../../platform/stores/clickhouse.ts'
import { type SeriesState, type SeriesView, versionOf } from '../../market/market-query/series.ts'
import { marketGauges } from './gauges.ts'

export interface ExporterOptions {
  clickhouse: ClickHouse
  series: SeriesView
  /** True if the market metrics need no key. */
  isOpen: boolean
}

/** GET /metrics/global: the newest slot of the market for Prometheus. It is computed once per slot, for any number of requests. */
export const exporterRoute: FastifyPluginAsyncZod<ExporterOptions> = async (
  app,
  { clickhouse, series, isOpen },
) => {
  const texts = openReadCache<string, string, SeriesState>({
    max: 1,
    fetchMethod: (_revision, _stale, { context }) => marketGauges(clickhouse, context),
  })
  app.get(
    '/metrics/global',
    {
      config: isOpen ? { permissions: 'none' } : { permissions: ['machine_read'], access: 'host' },
      schema: { hide: true },
    },
    async (request, reply) => {
      reply.type('text/plain; version=0.0.4; charset=utf-8')
      if (request.caller && needsMachine(request.caller, request.routeOptions.config.source)) return ''
      const state = await series.state()
      return state.newest_slot === 0 ? '' : texts.forceFetch(versionOf(state), { context: state })
    },
  )
}
