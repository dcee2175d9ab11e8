import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { pages } from '../../../contract/pages.ts'

/** Built by `npm run build` out of web/. */
const root = dirname(createRequire(import.meta.url).resolve('#dist/web/index.html'))

/** Addresses outside the API. Under the API, programs expect JSON. */
const elsewhere = '/:page(^(?!api$).+$)'
const wantsPage = ({ headers }: FastifyRequest) => (headers.accept ?? '').includes('text/html')

/**
 * The target of an address with a slash at its end: otherwise the page would look for its files one level too deep. Relative,
 * since a proxy may serve it below any path. undefined: no slash.
 */
export function withoutSlash(page: string, url: string): string | undefined {
  const [path = ''] = url.split('?')
  return path !== '/' && path.endsWith('/') ? `..${page}${url.slice(path.length)}` : undefined
}

/** The pages. Their files need no key and hold nothing of a visitor. `served`: the address of each, by the name of its document. */
export const webRoute: FastifyPluginAsync<{ served: Partial<typeof pages> }> = async (app, { served }) => {
  await app.register(fastifyStatic, {
    root,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (response, path) => {
      // Names of assets change with their content. The page itself is revalidated each time, mostly with a 304.
      const isAsset = path.startsWith(`${root}/assets/`)
      response.header('cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  for (const [name, page] of Object.entries(served))
    app.get(page, { schema: { hide: true } }, ({ url }, reply) => {
      const plain = withoutSlash(page, url)
      return plain ? reply.redirect(plain, 308) : reply.sendFile(`${name}.html`)
    })
  app.get<{ Params: { file: string } }>(
    '/assets/:file(^[\\w-]+\\.\\w+$)',
    { schema: { hide: true } },
    ({ params }, reply) => reply.sendFile(`assets/${params.file}`),
  )
  // Their names stay constant, since a browser that installed the page requests them again.
  for (const file of ['icon.svg', 'manifest.webmanifest'])
    app.get(`/${file}`, { schema: { hide: true } }, (_request, reply) => reply.sendFile(file))
  // Any other address: browsers get the page, which shows that nothing is there; programs get JSON.
  for (const path of [elsewhere, `${elsewhere}/*`])
    app.get(path, { schema: { hide: true } }, (request, reply) => {
      if (!wantsPage(request)) return reply.callNotFound()
      const [given = ''] = request.url.split('?')
      const depth = given.split('/').length - 2
      return depth > 0
        ? reply.redirect(`${'../'.repeat(depth)}not-found`)
        : reply.code(404).sendFile('index.html')
    })
}
