import { z } from 'zod'
import { sharedPage } from '../../../contract/pages.ts'
import { sharedChart } from '../../../contract/shares.ts'
import { forbidden, invalidArgs } from '../../../platform/errors.ts'
import { answerOnce, idempotencyErrors, idempotencyHeaders } from '../../../platform/http/idempotency.ts'
import { needsMachine } from '../../../platform/security/auth.ts'
import { lockAccount } from '../../../platform/security/lock-account.ts'
import { hashToken, newToken } from '../../../platform/security/token.ts'
import { transaction } from '../../../platform/stores/postgres.ts'
import type { ShareRoute } from './share-route.ts'
import { queryOf, questionOf, sourceOf } from './shared-question.ts'

const mostShares = 100

const description = `Anyone with the link can see the chart without a key. It shows figures of the market only, nothing of the account. The link is
returned only here. It stops working when it is revoked, or when the key that created it ends or may no longer read the market. An account can have
${mostShares} links.`

/** Creates a link that shows a chart of the history. */
export const createShareRoute: ShareRoute = async (
  app,
  { postgres, clock, vault, known, publicUrl = '' },
) => {
  app.post(
    '/api/v0/shares',
    {
      config: { permissions: ['machine_read'], access: 'host', errors: idempotencyErrors },
      schema: {
        operationId: 'shareChart',
        summary: 'Share a chart by a link',
        description,
        tags: ['metrics'],
        headers: idempotencyHeaders,
        body: sharedChart,
        response: {
          200: z.object({
            success: z.literal(true),
            id: z.int(),
            url: z.string().describe('A path, unless the service knows its public address'),
          }),
        },
      },
    },
    async (request) => {
      const { caller, body } = request
      const { start, ...question } = questionOf(body, Math.floor(clock.now()))
      const source = await otherSource(sourceOf(body.query), known)
      if (needsMachine(caller, source))
        throw forbidden('Only hosts with an active machine may read the market')
      const query = queryOf({ ...question, ...(body.last === null && { start }) }, source)
      return transaction(postgres, async (client) => {
        await lockAccount(client, caller.accountId)
        return answerOnce(client, { request, vault }, async () => {
          const token = newToken()
          const { rows } = await client.query<{ id: number }>('shares/create', [
            caller.accountId,
            caller.keyId,
            hashToken(token),
            { ...body, query },
            mostShares,
          ])
          if (!rows[0]) throw invalidArgs(`An account can have at most ${mostShares} shared charts`)
          return { success: true as const, id: rows[0].id, url: `${publicUrl}${sharedPage}?chart=${token}` }
        })
      })
    },
  )
}

/** The name of a source; undefined for the first one, which is requested without a name. */
async function otherSource(
  given: string | undefined,
  known: () => Promise<readonly string[]>,
): Promise<string | undefined> {
  if (given === undefined) return undefined
  const names = await known()
  if (!names.includes(given)) throw invalidArgs('query names a source that this site does not have')
  return given === names[0] ? undefined : given
}
