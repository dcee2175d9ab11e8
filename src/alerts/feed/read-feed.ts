import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AlertMessage } from '../../../contract/alerts.ts'
import { notFound } from '../../../platform/errors.ts'
import { hashToken } from '../../../platform/security/token.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import type { AlertsRoute } from '../context.ts'
import { atomOf } from './atom.ts'

const mostEntries = 50
const feed = { 200: z.string().describe('An Atom feed (RFC 4287)') }
const description = `The newest ${mostEntries} messages of all rules of the account.`

/** The feed of the caller's account, with the key or at its secret address, which needs no key. */
export const readAlertFeed: AlertsRoute = async (app, { postgres, publicUrl = '' }) => {
  const send = feedSender(postgres, publicUrl)
  app.get(
    '/api/v0/alerts/feed',
    {
      config: { permissions: ['machine_read'], access: 'host' },
      schema: {
        operationId: 'readAlertFeed',
        summary: 'Alerts as an Atom feed',
        description,
        tags: ['alerts'],
        produces: ['application/atom+xml'],
        response: feed,
      },
    },
    (request, reply) => send(request.caller.accountId, request, reply),
  )
  app.get(
    '/api/v0/alerts/feed/:token',
    {
      config: {
        permissions: 'none',
        errors: { 404: 'No feed has this address: `not_found`' },
      },
      schema: {
        operationId: 'readAlertFeedByAddress',
        summary: 'Alerts as an Atom feed, without a key',
        description: `${description} Anyone who knows the address can read it. It stops working when it is replaced or revoked, or when the key that created it ends.`,
        tags: ['alerts'],
        params: z.object({ token: z.string() }),
        produces: ['application/atom+xml'],
        response: feed,
      },
    },
    async (request, reply) => {
      const { rows } = await postgres.query<{ account_id: number }>('alerts/find_feed', [
        hashToken(request.params.token),
      ])
      if (!rows[0]) throw notFound('There is no such feed')
      return send(rows[0].account_id, request, reply)
    },
  )
}

const feedSender =
  (postgres: Postgres, publicUrl: string) =>
  async (accountId: number, { url }: FastifyRequest, reply: FastifyReply) => {
    const { rows } = await postgres.query<AlertMessage>('alerts/messages', [
      accountId,
      null,
      mostEntries,
      null,
    ])
    const text = atomOf(rows, { id: `urn:rackrate:alerts:${accountId}`, self: `${publicUrl}${url}` })
    // Feed readers poll often: an unchanged feed is a 304.
    reply.header('cache-control', 'private, no-cache')
    // A buffer bypasses the serializer of JSON.
    return reply.type('application/atom+xml; charset=utf-8').send(Buffer.from(text) as never) as never
  }
