import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { z } from 'zod'
import { machinesThat, metricTitles } from '../../../contract/market-words.ts'
import { sharedPage } from '../../../contract/pages.ts'
import type { SharedChart } from '../../../contract/shares.ts'
import { allowFrames } from '../../../platform/http/security-headers.ts'
import { withoutSlash } from '../web/route.ts'
import { findChart } from './find-chart.ts'
import type { ShareRoute } from './share-route.ts'

const index = createRequire(import.meta.url).resolve('#dist/web/index.html')
const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => escapes[letter] ?? letter)

/** The page of a shared chart. The only one that other sites may show in a frame: it has nothing to click that changes anything. */
export const sharedPageRoute: ShareRoute = async (app, { postgres }) => {
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
      return reply.send(html.replace('</head>', () => `${previewOf(chart)}</head>`))
    },
  )
}

/** What a message that has the link shows of it. */
function previewOf({ metric, query }: SharedChart): string {
  const { gpu_name, ...filters } = Object.fromEntries(new URLSearchParams(query)) as Record<string, string>
  const { verified = '', hosting_type = '', num_gpus = '' } = filters
  const tags = {
    'og:type': 'website',
    'og:site_name': 'rackrate',
    'og:title': `${metricTitles[metric]} of ${gpu_name?.replaceAll(',', ', ')}`,
    'og:description': `GPU rental market: ${machinesThat({ verified, hosting_type, num_gpus })}`,
  }
  return Object.entries(tags)
    .map(([name, content]) => `<meta property="${name}" content="${escaped(content)}" />`)
    .join('')
}
