import { z } from 'zod'

/** Why an answer has no prices of rented GPUs. */
export const rentedReason = z
  .enum(['few_hosts'])
  .nullable()
  .describe(
    'Why prices of rented GPUs are missing. `few_hosts`: in no snapshot were they on at least 5 machines of at least 3 hosts. null: none is missing',
  )
