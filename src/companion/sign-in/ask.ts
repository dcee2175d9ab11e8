import { z } from 'zod'
import { ownAddress } from '../../../platform/http/own-address.ts'
import { hashToken } from '../../../platform/security/token.ts'
import { transaction } from '../../../platform/stores/postgres.ts'
import type { CompanionRoute } from '../context.ts'
import { writeMessage } from '../outbox/write.ts'
import { newShortCode } from '../tfa/codes.ts'
import {
  hashShortCode,
  linkErrors,
  linkLifetime,
  linkOf,
  mostGuesses,
  newLinkToken,
  notOffered,
} from './link.ts'

export const askToSignIn: CompanionRoute = async (app, companion) => {
  app.post(
    '/api/v0/auth/sign-in/mail',
    {
      config: {
        permissions: 'none',
        mailsStrangers: true,
        errors: {
          429: 'Too many links, for the address or from this client: `too_many_requests`. See the header Retry-After',
          501: linkErrors[501],
        },
      },
      schema: {
        operationId: 'mailSignInLink',
        summary: 'Mail a link to sign in',
        description: `Mails a link and a short code to the person who has this verified address. The answer is the same whether or not there is one. Both are valid for ${linkLifetime / 60} minutes, once, and
until newer ones are sent.

The short code is for a browser on another device than the mail. It works only together with \`request\`, and not after ${mostGuesses} wrong ones.

An address gets at most 5 links an hour and 20 in 24 hours. A client address can request 20 an hour.`,
        tags: ['sign-in'],
        body: z.object({ email: z.email().max(254) }),
        response: {
          200: z.object({
            success: z.literal(true),
            msg: z.string(),
            request: z
              .string()
              .describe('Secret to send with the short code. Returned only to the requester'),
          }),
        },
      },
    },
    async ({ body }) => {
      if (!companion.signInByMail) throw notOffered()
      const request = await mailLink(body.email.toLowerCase())
      companion.onOutbox()
      return {
        success: true as const,
        msg: 'If there is an account with this address, a link is on its way.',
        request,
      }
    },
  )

  /**
   * Does the same work for an unknown address, except sending, so that neither time nor limits reveal an account. Returns the secret of the request.
   */
  async function mailLink(email: string): Promise<string> {
    const [token, request, short] = [newLinkToken(), newLinkToken(), newShortCode()]
    await transaction(companion.postgres, async (client) => {
      await client.query('sign-in/ask_short', [
        email,
        hashToken(request),
        hashShortCode(request, short),
        linkLifetime,
      ])
      const { rows } = await client.query<{ id: number; email: string }>('sign-in/ask', [
        email,
        hashToken(token),
        linkLifetime,
      ])
      const [person] = rows
      const link = linkOf(ownAddress(app, companion.publicUrl), person?.id ?? 0, token)
      await writeMessage(
        { client, vault: companion.vault },
        {
          kind: 'sign-in',
          sender: null,
          channel: 'email',
          recipient: person?.email ?? email,
          isOwn: false,
          subject: 'Your link to sign in to rackrate',
          text: `Open this link to sign in to rackrate:

${link}

Or type this code on the page where you requested the link:

${short}

They work once, within ${linkLifetime / 60} minutes, and until a newer link is sent.
Give the code to nobody who asks you for it.
If you did not ask for it, do nothing: without link or code nobody gets in.
`,
          usefulFor: person ? linkLifetime : 0,
        },
      )
    })
    return request
  }
}
