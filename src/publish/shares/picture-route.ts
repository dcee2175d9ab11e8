import { z } from 'zod'
import { type SharedChart, sharedPicture } from '../../../contract/shares.ts'
import { notFound } from '../../../platform/errors.ts'
import { openReadCache } from '../../../platform/read-cache.ts'
import { type HistoryResult, queryHistory } from '../../market/history/fetch-points.ts'
import {
  isSimulated,
  type MarketOptions,
  type MarketState,
  readMarketState,
} from '../../market/market-query/answers.ts'
import { resolveQuestion, type SeriesQuestion } from '../../market/market-query/resolve.ts'
import { versionOf } from '../../market/market-query/series.ts'
import { findChart } from './find-chart.ts'
import { linesOf, unitOf } from './picture/lines.ts'
import { openPainter } from './picture/painter.ts'
import { svgOf } from './picture/svg.ts'
import { forMarkets, type ShareRoute } from './share-route.ts'
import { questionOf, sourceOf } from './shared-question.ts'
import { wordsOf } from './words.ts'

const maxBytes = 16 * 1024 * 1024

interface PictureQuery {
  chart: SharedChart
  market: MarketOptions
  question: SeriesQuestion
  moment: MarketState
}

/** A shared chart as a picture, for the previews of links. Each is drawn once per revision of the series. */
export const sharedPictureRoute: ShareRoute = async (app, { postgres, ...options }) => {
  const marketOf = forMarkets(options, (market) => market)
  const painter = openPainter()
  app.addHook('onClose', painter.close)
  const pictures = openReadCache<string, Buffer, PictureQuery>({
    maxSize: maxBytes,
    sizeCalculation: (png, key) => png.length + key.length,
    async fetchMethod(_key, _stale, { context }) {
      const { market, moment, question } = context
      const source = { clickhouse: market.clickhouse, ...moment }
      return painter.paint(drawn(context, await queryHistory(source, question)))
    },
  })

  app.get(
    '/api/v0/shared/:token/picture',
    {
      config: {
        permissions: 'none',
        anyOrigin: true,
        errors: { 404: 'No chart has this link: `not_found`' },
      },
      schema: {
        operationId: 'readSharedPicture',
        summary: 'Read a shared chart as a picture',
        description: `A PNG of ${sharedPicture.width} × ${sharedPicture.height} pixels with title, machines, range and source, for link previews. It needs no key.`,
        tags: ['metrics'],
        params: z.object({ token: z.string().describe('The `chart` of the link') }),
        produces: ['image/png'],
        response: { 200: z.string().describe('A PNG') },
      },
    },
    async ({ params }, reply) => {
      const chart = await findChart(postgres, params.token)
      if (!chart) throw notFound('This link shows no chart')
      const market = marketOf(chart)
      const moment = await readMarketState(market)
      // As many points as a picture can show, regardless of the chart's step.
      const question = resolveQuestion({ ...questionOf(chart, moment.now), step: undefined }, moment)
      const key = `${versionOf(moment.state)} ${JSON.stringify([chart, question])}`
      const png = await pictures.forceFetch(key, { context: { chart, market, question, moment } })
      reply.headers({
        'cache-control': `public, max-age=${Math.min(300, moment.interval - (moment.now % moment.interval))}`,
        'cross-origin-resource-policy': 'cross-origin', // Other sites show it.
      })
      // A buffer bypasses the serializer of JSON.
      return reply.type('image/png').send(png as never) as never
    },
  )
}

function drawn({ chart, question, moment: { state } }: PictureQuery, { gpus }: HistoryResult): string {
  const from = sourceOf(chart.query)
  const isOne = Object.keys(gpus).length === 1
  const asOf = new Date(state.newest_slot * 1000).toISOString().slice(0, 16).replace('T', ' ')
  return svgOf({
    ...wordsOf(chart),
    unit: unitOf(chart, isOne),
    lines: linesOf({ ...chart, hasRentals: state.has_rentals }, gpus),
    from: question.from,
    to: question.to,
    source: `${isSimulated(question, state) ? 'Simulated market. ' : ''}Source: rackrate${from ? ` (${from})` : ''}, as of ${asOf} UTC`,
  })
}
