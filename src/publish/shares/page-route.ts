import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { z } from 'zod'
import { sharedPage } from '../../../contract/pages.ts'
import { type SharedChart, sharedPicture } from '../../../contract/shares.ts'
import { ownAddress } from '../../../platform/http/own-address.ts'
import { allowFrames } from '../../../platform/http/security-headers.ts'
import { withoutSlash } from '../web/route.ts'
import { findChart } from './find-chart.ts'
import type { ShareRoute } from './share-route.ts'
import { escaped, wordsOf } from './words.ts'

const index = createRequire(import.meta.url).resolve('#dist/web/index.html')

/**
 * The page of a shared chart. It is the only page that other sites may show in a frame: it has no control that changes anything.
 */
export const sharedPageRoute: ShareRoute = async (app, { postgres, publicUrl }) => {
  const html = readFileSync(index, 'utf8')
  app.get(
    sharedPage,
    { schema: { hide: true, querystring: z.object({ chart: z.string().default('') }) } },
    async ({ url, query }, reply) => {
      const plain = withoutSlash(sharedPage, url)
      if (plain) return reply.redirect(plain, 308)
      allowFrames(reply)
      reply.type('text/html; charset=utf-8').header('cache-control', 'no-store')
      const chart = await findChart(postgres, query.chart)
      if (!chart) return reply.code(404).send(html)
      const preview = previewOf(chart, query.chart, ownAddress(app, publicUrl))
      return reply.send(html.replace('</head>', () => `${preview}</head>`))
    },
  )
}

/** The preview of a link in messages. `at`: the URL of the service, which previews need. */
function previewOf(chart: SharedChart, token: string, at: string): string {
  const { title, subject } = wordsOf(chart)
  const tags = {
    'og:type': 'website',
    'og:site_name': 'rackrate',
    'og:title': title,
    'og:description': `GPU rental market: ${subject}`,
    'og:image': `${at}/api/v0/shared/${token}/picture`,
    'og:image:width': `${sharedPicture.width}`,
    'og:image:height': `${sharedPicture.height}`,
    'twitter:card': 'summary_large_image',
  }
  return Object.entries(tags)
    .map(([name, content]) => `<meta property="${name}" content="${escaped(content)}" />`)
    .join('')
}
