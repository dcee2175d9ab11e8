import { z } from 'zod'
import { id } from '../../../contract/fields.ts'

const mostMachines = 1000

const machineIds = z
  .union([id.transform((one) => [one]), z.array(id).min(1).max(mostMachines)], {
    error: 'Invalid machine id',
  })
  .nullish()

/** `termsOf` reads size, price and end: a wrong one is answered 422, not 400. */
export const volumesBody = z
  .object({
    machine: machineIds.describe(
      'A machine of the account. A list is accepted, too, with the meaning of `machines`',
    ),
    machines: machineIds.describe(`Up to ${mostMachines} machines. Overrides \`machine\``),
    hidden_listing: z
      .boolean()
      .nullish()
      .describe('true: the public search hides the listing. Default of a new listing: false'),
    size: z
      .unknown()
      .optional()
      .meta({ type: 'integer', description: 'GB offered. Default of a new listing: 15' }),
    price_disk: z
      .unknown()
      .optional()
      .meta({ type: 'number', description: 'USD per GB and month. Default of a new listing: 0.10' }),
    end_date: z
      .unknown()
      .optional()
      .meta({ type: 'number', description: 'Unix seconds. Default of a new listing: three months ahead' }),
  })
  .loose()
export type VolumesBody = z.infer<typeof volumesBody>

export const volumesAnswer = z.object({
  success: z.literal(true),
  you_sent: z.record(z.string(), z.unknown()).describe('The request body'),
  results: z
    .array(
      z.object({
        machine_id: z.int(),
        user_id: z.int(),
        extended: z.int().describe('Number of extended running volume contracts'),
        new_contracts: z
          .array(z.object({ id: z.int(), size: z.int() }))
          .describe('The listing, if it is new'),
        upd_contracts: z.array(z.int()).describe('The id of the listing, if it existed before'),
      }),
    )
    .describe('One per machine, in the order of the request'),
})
