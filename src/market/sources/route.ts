import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { hostApiProblem } from '../../../collect/host-api.ts'
import { officialState } from '../../../collect/read-official.ts'
import { newestCoverage, siteSource } from '../../../collect/site-source.ts'
import { listSources } from '../../../collect/sources.ts'
import { type SourceState, sourcesAnswer } from '../../../contract/sources.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'

interface Options {
  postgres: Postgres
  /** The markets of all sources except the first. */
  markets: readonly { name: string; postgres: Postgres }[]
}

/** GET /api/v0/metrics/sources: the values of the parameter `source`. */
export const sourcesRoute: FastifyPluginAsyncZod<Options> = async (app, { postgres, markets }) => {
  app.get(
    '/api/v0/metrics/sources',
    {
      config: { permissions: ['machine_read'], access: 'host' },
      schema: {
        operationId: 'listSources',
        summary: 'Sources of the market',
        description:
          'The sources of the markets of this site, and the state of the newest requests. Pass the name of a source as `source` to query its market.',
        tags: ['metrics'],
        response: { 200: sourcesAnswer },
      },
    },
    async () => {
      const sources: SourceState[] = []
      for (const { name, is_first } of await listSources(postgres)) {
        // A source that was added since this process started cannot be queried yet.
        const stores = is_first ? postgres : markets.find((market) => market.name === name)?.postgres
        if (!stores) continue
        const [official = null, state] = await Promise.all([
          officialState(postgres, stores, name),
          stateOf(stores),
        ])
        sources.push({ name, ...state, official })
      }
      return { success: true as const, sources }
    },
  )
}

async function stateOf(postgres: Postgres): Promise<Omit<SourceState, 'name' | 'official'>> {
  const [source, coverage] = await Promise.all([siteSource(postgres), newestCoverage(postgres)])
  return {
    newest_slot: source?.good_slot ?? null,
    takes_key: source !== undefined && hostApiProblem(source.source) === undefined,
    failures: source?.failures ?? 0,
    problem: source?.problem ?? null,
    left_out: source?.left_out?.reasons ?? {},
    left_out_rows: source?.left_out?.rows ?? [],
    coverage: coverage ?? null,
  }
}
