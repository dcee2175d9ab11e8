import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type pg from 'pg'
import { z } from 'zod'
import { ApiError } from '../../../platform/errors.ts'
import type { CompanionOptions } from '../options.ts'
import { withAccount } from './account-turn.ts'
import { replaceBackupCodes } from './backup-codes.ts'
import { sendCode } from './challenge.ts'
import { addPhone, addTotp, confirmMethod, type Phone, phoneOf } from './enrolment.ts'
import { methodsOf, proofBody, proofErrors, withProofIfAny } from './proof.ts'
import { provisioningUri } from './totp.ts'

const label = z.string().trim().max(100).nullish().describe('What you call it')
const phoneNumber = z
  .string()
  .regex(/^\+[0-9]{6,15}$/, 'must be a number like +15551234567')
  .nullish()
  .describe('E.164')

const noProof = proofBody.parse({})

/** Enrolment of 2FA methods: set up, then confirm with a code. Ours, not in SPEC.md; paths and shapes as usual in the field. */
export const tfaEnrolRoute: FastifyPluginAsyncZod<CompanionOptions> = async (
  app,
  { postgres, vault, onOutbox },
) => {
  const noted =
    'Not in force until confirmed, within 15 minutes and before any other. The first method needs no proof; a further one needs a proof with a method that is there.'

  app.post(
    '/api/v0/tfa/totp-setup',
    {
      config: {
        permissions: ['user_write'],
        access: 'person',
        refusal: 'team_user_forbidden',
        errors: proofErrors,
      },
      schema: {
        summary: 'Set up an authenticator app',
        description: `Makes a TOTP secret (RFC 6238: SHA-1, six digits, 30 s). ${noted} A secret that was set up before and not confirmed is dropped.`,
        tags: ['2fa'],
        body: proofBody.extend({ label }).nullish(),
        response: {
          200: z.object({
            success: z.literal(true),
            secret: z
              .string()
              .describe(
                'Base32, to be typed into the app, and to be sent with the confirmation. Shown this once',
              ),
            provisioning_uri: z.string().describe('The same for a QR code'),
            tfa_method_id: z.int(),
          }),
        },
      },
    },
    async ({ caller, body }) => {
      const person = caller.accountId
      return withProofIfAny(postgres, vault, person, body ?? noProof, async (client) => {
        const { id, name, secret } = await addTotp(client, vault, person, body?.label ?? '')
        const provisioning_uri = provisioningUri(secret, name)
        return { success: true as const, secret, provisioning_uri, tfa_method_id: id }
      })
    },
  )

  app.post(
    '/api/v0/tfa/test',
    {
      config: {
        permissions: ['user_write'],
        access: 'person',
        refusal: 'team_user_forbidden',
        errors: { ...proofErrors, 400: `${proofErrors[400]}, \`tfa_challenge_exists\`` },
      },
      schema: {
        summary: 'Send a 2FA code by SMS',
        description: `To the account's SMS method, or (\`phone_number\`) to a phone that shall become one. ${noted} At most one in 30 seconds.`,
        tags: ['2fa'],
        body: proofBody.extend({ phone_number: phoneNumber, label }).nullish(),
        response: {
          200: z.object({
            success: z.literal(true),
            secret: z.string().describe('To be sent back with the code'),
            tfa_method_id: z.int(),
          }),
        },
      },
    },
    async ({ caller, body }) => {
      const accountId = caller.accountId
      const send = async (client: pg.PoolClient, { id: methodId, phone: recipient }: Phone) => {
        const secret = await sendCode(client, vault, { accountId, methodId, channel: 'sms', recipient })
        return { success: true as const, secret, tfa_method_id: methodId }
      }
      const known = await withAccount(postgres, accountId, async (client) => {
        const method = smsMethod(await methodsOf(client, accountId), body ?? noProof)
        return method && send(client, method)
      })
      const sent =
        known ??
        (await withProofIfAny(postgres, vault, accountId, body ?? noProof, async (client) =>
          send(client, await addPhone(client, accountId, body?.phone_number ?? '', body?.label ?? '')),
        ))
      onOutbox()
      return sent
    },
  )

  app.post(
    '/api/v0/tfa/resend',
    {
      config: {
        permissions: ['user_write'],
        access: 'person',
        refusal: 'team_user_forbidden',
        errors: {
          ...proofErrors,
          400: '`challenge_not_found`, `2fa_expired`, `tfa_challenge_exists`, `invalid_args`',
        },
      },
      schema: {
        summary: 'Send a fresh code for an SMS challenge',
        description: 'The old code dies; up to five codes for one challenge.',
        tags: ['2fa'],
        body: z.object({ secret: z.string().trim().min(1).max(200).describe('Of the first sending') }),
        response: { 200: z.object({ success: z.literal(true), secret: z.string() }) },
      },
    },
    async ({ caller, body }) => {
      const accountId = caller.accountId
      await withAccount(postgres, accountId, async (client) => {
        const { id: methodId, phone: recipient } = await phoneOf(client, vault, accountId, body.secret)
        await sendCode(client, vault, { accountId, methodId, channel: 'sms', recipient }, body.secret)
      })
      onOutbox()
      return { success: true as const, secret: body.secret }
    },
  )

  app.post(
    '/api/v0/tfa/test-submit',
    {
      config: {
        permissions: ['user_write'],
        access: 'person',
        refusal: 'team_user_forbidden',
        errors: proofErrors,
      },
      schema: {
        summary: 'Confirm a 2FA method',
        description:
          'With a code of the method that was set up: from the app, or as sent (then with the `secret` of the sending). From then on the method is in force.',
        tags: ['2fa'],
        body: proofBody.pick({ code: true, secret: true, tfa_method: true }).extend({ label }),
        response: {
          200: z.object({
            success: z.literal(true),
            tfa_method_id: z.int(),
            backup_codes: z
              .array(z.string())
              .optional()
              .describe('With the first method: ten, shown this once'),
          }),
        },
      },
    },
    async ({ caller, body }) => {
      const person = caller.accountId
      const result = await withAccount(postgres, person, async (client) => {
        const confirmed = await confirmMethod(client, vault, person, body, body.label || undefined)
        if (confirmed instanceof ApiError) return confirmed
        // With the first method, whoever had codes before: nothing that was made with less proof opens what it protects.
        const isFirst = (await methodsOf(client, person)).length === 1
        const codes = isFirst && (await replaceBackupCodes(client, vault, person))
        return { success: true as const, tfa_method_id: confirmed, ...(codes && { backup_codes: codes }) }
      })
      if (result instanceof ApiError) throw result
      return result
    },
  )
}

/** The confirmed SMS method that is meant; undefined when a new phone is. */
function smsMethod(
  methods: Awaited<ReturnType<typeof methodsOf>>,
  {
    phone_number,
    tfa_method_id,
  }: { phone_number?: string | null | undefined; tfa_method_id?: number | null | undefined },
): Phone | undefined {
  const phones = methods.flatMap(({ id, phone }) => (phone ? [{ id, phone }] : []))
  if (phone_number) return phones.find(({ phone }) => phone === phone_number)
  const [only, another] = tfa_method_id ? phones.filter(({ id }) => id === tfa_method_id) : phones
  if (only && !another) return only
  throw new ApiError(
    400,
    'invalid_tfa_method',
    another
      ? 'There are several sms methods: send tfa_method_id'
      : 'There is no sms method: send a phone_number',
  )
}
