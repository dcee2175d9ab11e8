import { PassThrough } from 'node:stream'
import { z } from 'zod'
import { dateOf } from '../../../platform/clock.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { CompanionRoute } from '../context.ts'
import { withTfaAccount } from '../tfa/account-queue.ts'
import { proofBody, prove } from '../tfa/proof.ts'
import { exportAccount } from './export-account.ts'
import { targetErrors, targetOf } from './target.ts'

/** The longest time of an export, which holds a session of the database. */
const longestMs = 120_000
/** Exports of a process at the same time. */
const mostAtOnce = 2

export const exportAccountRoute: CompanionRoute = async (app, companion) => {
  const { postgres, clock } = companion
  /** The people whose exports run, at most one of each. */
  const running = new Set<number>()
  app.post(
    '/api/v0/users/:user_id/export',
    {
      handlerTimeout: longestMs,
      config: {
        permissions: ['user_write'],
        errors: targetErrors,
        headers: { 'content-disposition': 'A name of the file' },
      },
      schema: {
        operationId: 'exportAccount',
        summary: 'Export an account',
        description: `Everything that the account holds, as one JSON document: \`tables\` has the rows by table, \`not_exported\` the reasons for what is
missing. Secrets, and hashes of them, are never in it. The request needs a proof of the caller, as removing a 2FA method does. Admins may export any
account, and the owner of a team exports it with a key of the team. A document that is cut off is not complete.`,
        tags: ['account'],
        params: z.object({ user_id: z.string() }),
        body: proofBody,
        response: {
          200: z.unknown().describe('`account_id`, `made_at`, `not_exported`, `tables`'),
        },
      },
    },
    async ({ caller, params, body, log }, reply) => {
      const account = await targetOf(postgres, caller, params.user_id)
      if (running.size >= mostAtOnce || running.has(caller.createdBy))
        throw new ApiError(429, 'too_many_requests', 'Other exports are running', { retryAfter: 10 })
      running.add(caller.createdBy)
      try {
        await withTfaAccount(companion, caller.createdBy, (person) => prove(person, body))
        const out = new PassThrough()
        const leaving = new AbortController()
        out.once('close', () => leaving.abort())
        const signal = AbortSignal.any([leaving.signal, AbortSignal.timeout(longestMs)])
        const madeAt = dateOf(clock).toISOString()
        reply
          .header('content-disposition', `attachment; filename="account-${account}.json"`)
          .type('application/json')
          .send(out)
        await exportAccount(postgres, { account, madeAt }, out, signal)
        out.end()
      } catch (error) {
        if (!reply.sent) throw error
        log.warn({ err: error }, 'an export was cut off')
        reply.raw.destroy()
      } finally {
        running.delete(caller.createdBy)
      }
      return reply
    },
  )
}
