import { z } from 'zod'
import { epochOut, id } from '../../../contract/fields.ts'

const mostMachines = 1000

const machineIds = z
  .union([id.transform((one) => [one]), z.array(id).min(1).max(mostMachines)], {
    error: 'Invalid machine id',
  })
  .nullish()

/** The values are read by `termsOf`, since a wrong one is answered 422 and not 400. */
export const volumesBody = z
  .object({
    machine: machineIds.describe('A machine of yours. A list is taken like `machines`'),
    machines: machineIds.describe(`Up to ${mostMachines}; overrides \`machine\``),
    hidden_listing: z
      .boolean()
      .nullish()
      .describe('Hidden from the public search. Default: false, or as it was when the listing exists'),
    size: z
      .unknown()
      .optional()
      .meta({ type: 'integer', description: 'GB on offer. Default of a new listing: 15' }),
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
        extended: z.int().describe('Running volume contracts whose end moved later'),
        new_contracts: z
          .array(z.object({ id: z.int(), size: z.int() }))
          .describe('The listing, when it is new'),
        upd_contracts: z.array(z.int()).describe('The listing, when there was one'),
      }),
    )
    .describe('One a machine, in the order asked for'),
})

export const volumeListing = z.object({
  id: z.int(),
  machine_id: z.int(),
  user_id: z.int(),
  size: z.int().describe('GB on offer'),
  price_disk: z.number().describe('USD per GB and month'),
  hidden_listing: z.boolean(),
  end_date: epochOut,
  created_at: epochOut,
  rented: z.int().describe('GB of it that running contracts hold'),
})
