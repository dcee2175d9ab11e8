import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { idOf } from '../../../contract/fields.ts'
import { invalidArgs, notFound } from '../../../platform/errors.ts'
import { transaction } from '../../../platform/stores/postgres.ts'
import { loadSql } from '../../../platform/stores/sql.ts'
import type { CompanionOptions } from '../options.ts'
import { saveVolumes } from './save.ts'
import { volumeListing, volumesAnswer, volumesBody } from './schema.ts'
import { termsOf } from './terms.ts'

const description = `Offers disk space of machines of yours as volumes, or updates the offer that is live; all machines or none.

Fields that are absent have their defaults in a new offer and stay as they are in a live one. Volumes and the disks of GPU offers share one pool, of
which only rented space is used up: an offer may be as large as what nobody else rents; what is rented of the offer itself is part of it.
Running volume contracts are extended to a later \`end_date\` if they don't pay more by it. Repeating a call changes nothing more.`

/** POST /api/v0/volumes (SPEC.md, endpoint 2), and what a machine lists (ours). */
export const volumesRoute: FastifyPluginAsyncZod<CompanionOptions> = async (app, { postgres }) => {
  app.post(
    '/api/v0/volumes',
    {
      config: {
        permissions: ['instance_write', 'machine_write'],
        errors: {
          400: '`invalid_args`: `Invalid machine id`, `No such machine(s) for your account`, or a malformed body',
          402: 'A machine is offline: `machine_offline`',
          422: 'Invalid `size` (also more than a machine has free), `price_disk` or `end_date`: `invalid_args`',
        },
      },
      schema: {
        summary: 'List volumes on machines',
        description,
        tags: ['volumes'],
        body: volumesBody,
        response: { 200: volumesAnswer },
      },
      // The body as it was sent: validation turns ids into numbers.
      preValidation: async (request) => {
        request.bodyAsSent = structuredClone(request.body)
      },
      schemaErrorFormatter: ([first]) =>
        invalidArgs(
          /^\/machines?\b/.test(first?.instancePath ?? '')
            ? 'Invalid machine id'
            : (first?.message ?? 'Invalid body'),
        ),
    },
    async ({ caller, body, bodyAsSent }) => {
      const ids = [...new Set(body.machines ?? body.machine ?? [])]
      if (ids.length === 0) throw invalidArgs('Invalid machine id')
      const terms = termsOf(body)
      const listed = await transaction(postgres, (client) =>
        saveVolumes(client, caller.accountId, ids, terms, body.hidden_listing ?? null),
      )
      const byMachine = new Map(listed.map((one) => [one.machine_id, one]))
      const results = ids.flatMap((id) => {
        const one = byMachine.get(id)
        if (!one) return []
        const { created, listing_id, size, extended } = one
        return {
          machine_id: id,
          user_id: caller.accountId,
          extended,
          new_contracts: created ? [{ id: listing_id, size }] : [],
          upd_contracts: created ? [] : [listing_id],
        }
      })
      return { success: true as const, you_sent: bodyAsSent as Record<string, unknown>, results }
    },
  )

  app.get(
    '/api/v0/machines/:id/volumes',
    {
      config: {
        permissions: ['machine_read', 'instance_read'],
        errors: { 404: "Not a machine of the caller's: `not_found`" },
      },
      schema: {
        summary: 'Volume listings of a machine',
        description: 'The live listings of a machine of yours, hidden ones too.',
        tags: ['volumes'],
        params: z.object({ id: z.string() }),
        response: { 200: z.object({ success: z.literal(true), volumes: z.array(volumeListing) }) },
      },
    },
    async ({ caller, params }) => {
      const { rows } = await postgres.query<z.infer<typeof volumeListing> & { id: number | null }>(
        loadSql('postgres/queries/volumes/listings'),
        [caller.accountId, idOf(params.id)],
      )
      if (rows.length === 0) throw notFound('There is no such machine')
      return { success: true as const, volumes: rows.filter(({ id }) => id !== null) }
    },
  )
}

declare module 'fastify' {
  interface FastifyRequest {
    bodyAsSent: unknown
  }
}
