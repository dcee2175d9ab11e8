import { z } from 'zod'
import { successMessage } from '../../../contract/fields.ts'
import { hashToken } from '../../../platform/security/token.ts'
import { transaction } from '../../../platform/stores/postgres.ts'
import { loadSql } from '../../../platform/stores/sql-files.ts'
import { addressOf, type CompanionRoute } from '../context.ts'
import { writeMessage } from '../outbox/write.ts'
import { linkErrors, linkLifetime, linkOf, newLinkToken, notOffered } from './link.ts'

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
        description: `Mails a link to the person who has this verified address. The answer is the same whether or not there is one. The link is valid for ${linkLifetime / 60} minutes, once, and until a
newer one is sent.

An address gets at most 5 links an hour and 20 in 24 hours. A client address can ask for 20 an hour.`,
        tags: ['sign-in'],
        body: z.object({ email: z.email().max(254) }),
        response: { 200: successMessage },
      },
    },
    async ({ body }) => {
      if (!companion.signInByMail) throw notOffered()
      await mailLink(body.email.toLowerCase())
      companion.onOutbox()
      return {
        success: true as const,
        msg: 'If there is an account with this address, a link is on its way.',
      }
    },
  )

  /** Does the same for an address that nobody has, so that it takes the same time and counts in the same way. Such a message is not sent. */
  async function mailLink(email: string): Promise<void> {
    const token = newLinkToken()
    await transaction(companion.postgres, async (client) => {
      const { rows } = await client.query<{ id: number; email: string }>(
        loadSql('postgres/queries/sign-in/ask'),
        [email, hashToken(token), linkLifetime],
      )
      const [person] = rows
      const link = linkOf(addressOf(app as never, companion), person?.id ?? 0, token)
      await writeMessage(
        { client, vault: companion.vault },
        {
          kind: 'sign-in',
          sender: null,
          channel: 'email',
          recipient: person?.email ?? email,
          isOwn: false,
          subject: 'Your link to sign in to rackrate',
          text: `Open this link to sign in to rackrate:\n\n${link}\n\nIt works once, within ${linkLifetime / 60} minutes, and until a newer link is sent.\nIf you did not ask for it, do nothing: without the link nobody gets in.\n`,
          usefulFor: person ? linkLifetime : 0,
        },
      )
    })
  }
}
