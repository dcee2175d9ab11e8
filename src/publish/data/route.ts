import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { dataFormats, dataStatistics } from '../../../contract/data-formats.ts'
import type { DataFile } from '../../../contract/open-data.ts'
import { forbidden, notFound } from '../../../platform/errors.ts'
import { needsMachine } from '../../../platform/security/auth.ts'
import { manifestName, readManifest } from './manifest.ts'

export interface DataRouteOptions {
  folder: string
  /** `host`: all accounts that may read the history. `public`: everyone, without a key. */
  access: 'host' | 'public'
}

const ofRevision = new RegExp(
  `^(${dataStatistics.join('|')})/\\d{4}-\\d\\d-\\d\\d\\.r\\d+\\.(${dataFormats.join('|')})$`,
)

/** Limits of a download: its whole duration, and the longest pause of the client. */
const [longestDownloadMs, longestPauseMs] = [3_600_000, 30_000]

/** GET /data/…: files of open data (docs/open-data.md). */
export const dataRoute: FastifyPluginAsync<DataRouteOptions> = async (app, { folder, access }) => {
  // Registered without a root: a process that only serves may be unable to create the folder.
  await app.register(fastifyStatic, { serve: false, cacheControl: false })
  const filesNow = watchFiles(folder)
  const isPublic = access === 'public'
  const config = isPublic
    ? { permissions: 'none' as const, anyOrigin: true }
    : { permissions: ['machine_read'] as const, access: 'host' as const }
  const options = {
    config,
    handlerTimeout: longestDownloadMs,
    schema: { hide: true },
    onRequest: isPublic ? [] : [requireMachine],
  }
  const scope = isPublic ? 'public' : 'private'
  const send = (reply: FastifyReply, path: string, cacheControl: string) => {
    reply.raw.setTimeout(longestPauseMs, () => reply.raw.destroy())
    return reply.header('cache-control', `${scope}, ${cacheControl}`).sendFile(path, folder)
  }

  app.get(`/data/${manifestName}`, options, (_request, reply) => send(reply, manifestName, 'no-cache'))

  app.get<{ Params: { statistic: string; file: string }; Querystring: { source?: string } }>(
    '/data/:statistic/:file',
    options,
    async ({ params, query: { source } }, reply) => {
      const path = `${params.statistic}/${params.file}`
      // A file of one revision never changes.
      if (ofRevision.test(path)) return send(reply, path, 'max-age=31536000, immutable')
      // The stable address of a day, or of the newest one, redirects to the file of its current revision.
      const found = (await filesNow()).find(({ latest }) => latest === path || newest(latest) === path)
      if (!found) throw notFound('No such file. /data/manifest.json lists the files.')
      // The redirect is relative, since a proxy may serve it below any path.
      const [, name = ''] = found.path.split('/')
      const target = source === undefined ? name : `${name}?source=${source}`
      return reply.header('cache-control', `${scope}, no-cache`).redirect(target)
    },
  )
}

const newest = (path: string): string => path.replace(/\d{4}-\d\d-\d\d\./, 'latest.')

async function requireMachine({ caller, routeOptions }: FastifyRequest): Promise<void> {
  if (needsMachine(caller, routeOptions.config.source))
    throw forbidden('Only hosts with an active machine may read the market')
}

/** The files of the manifest, newest first, read again only when it has changed. */
function watchFiles(folder: string): () => Promise<readonly DataFile[]> {
  let read: { at: number; files: readonly DataFile[] } | undefined
  return async () => {
    const at = (await stat(join(folder, manifestName)).catch(() => undefined))?.mtimeMs ?? 0
    if (read?.at !== at) read = { at, files: (await readManifest(folder))?.files ?? [] }
    return read.files
  }
}
