import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync } from 'fastify'
import { pages } from '../../../contract/pages.ts'

/** Built by `npm run build` out of web/. */
const root = dirname(createRequire(import.meta.url).resolve('#dist/web/index.html'))

/** The charts and the SQL console. The files need no key, and nothing of a visitor is in them. */
export const webRoute: FastifyPluginAsync = async (app) => {
  await app.register(fastifyStatic, {
    root,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (response, path) => {
      // Names of assets change with what is in them; the page itself is asked for each time and is mostly a 304.
      const isAsset = path.startsWith(`${root}/assets/`)
      response.header('cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  for (const page of Object.values(pages))
    app.get(page, { schema: { hide: true } }, ({ url }, reply) => {
      // With a slash behind it the page would look for its files one level too deep. Relative, since a proxy may have mounted us anywhere.
      const [path = ''] = url.split('?')
      return path !== '/' && path.endsWith('/')
        ? reply.redirect(`..${page}${url.slice(path.length)}`, 308)
        : reply.sendFile('index.html')
    })
  app.get<{ Params: { file: string } }>(
    '/assets/:file(^[\\w-]+\\.\\w+$)',
    { schema: { hide: true } },
    ({ params }, reply) => reply.sendFile(`assets/${params.file}`),
  )
}
