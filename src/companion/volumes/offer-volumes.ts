import { invalidArgs } from '../../../platform/errors.ts'
import { describeProblems } from '../../../platform/http/request-problems.ts'
import { transaction } from '../../../platform/stores/postgres.ts'
import { keepBody } from '../body-as-sent.ts'
import type { CompanionRoute } from '../context.ts'
import { type ListedVolume, saveListings } from './listings.ts'
import { volumesAnswer, volumesBody } from './schema.ts'
import { termsOf } from './terms.ts'

const description = `Offers disk space of your machines as volumes. A machine has at most one live listing: if there is one, it is updated. The request applies to all
machines or to none.

A field that is absent gets its default in a new listing and keeps its value in an existing one. Volumes and the disks of GPU offers share the
machine's disk. Only rented space is taken, so a listing can cover all space that is not rented elsewhere, and must cover what is rented from it. Running volume contracts are extended to a later \`end_date\` when the price does not rise. A repeated request has no effect.`

export const offerVolumes: CompanionRoute = async (app, { postgres, clock }) => {
  app.post(
    '/api/v0/volumes',
    {
      config: {
        permissions: ['instance_write', 'machine_write'],
        errors: {
          400: '`invalid_args`: `Invalid machine id`, `No such machine(s) for your account`, or a malformed body',
          402: 'A machine is offline: `machine_offline`',
          422: 'Invalid `size` (also larger than the free space or smaller than what is rented), `price_disk` or `end_date`: `invalid_args`',
        },
      },
      schema: {
        operationId: 'offerVolumes',
        summary: 'Offer volumes on machines',
        description,
        tags: ['volumes'],
        body: volumesBody,
        response: { 200: volumesAnswer },
      },
      preValidation: keepBody,
      schemaErrorFormatter: (errors, part) =>
        invalidArgs(
          errors.some(({ instancePath }) => /^\/machines?\b/.test(instancePath))
            ? 'Invalid machine id'
            : describeProblems(errors, part),
        ),
    },
    async ({ caller, body, bodyAsSent }) => {
      const machineIds = [...new Set(body.machines ?? body.machine ?? [])]
      if (machineIds.length === 0) throw invalidArgs('Invalid machine id')
      const now = clock.now()
      const given = { ...termsOf(body, now), hidden: body.hidden_listing ?? null }
      const listed = await transaction(postgres, (client) =>
        saveListings(client, { accountId: caller.accountId, machineIds, now }, given),
      )
      const byMachine = new Map(listed.map((one) => [one.machine_id, one]))
      const results = machineIds.flatMap((id) => {
        const one = byMachine.get(id)
        return one ? [resultOf(one, caller.accountId)] : []
      })
      return { success: true as const, you_sent: bodyAsSent as Record<string, unknown>, results }
    },
  )
}

const resultOf = ({ machine_id, listing_id, size, created, extended }: ListedVolume, user_id: number) => ({
  machine_id,
  user_id,
  extended,
  new_contracts: created ? [{ id: listing_id, size }] : [],
  upd_contracts: created ? [] : [listing_id],
})
