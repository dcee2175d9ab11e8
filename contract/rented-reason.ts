import { z } from 'zod'

/** Why an answer has no prices of rented GPUs. */
export const rentedReason = z
  .enum(['few_hosts', 'no_rentals_known'])
  .nullable()
  .describe(
    'Why figures of rented GPUs are missing. `few_hosts`: in no snapshot were they on at least 5 machines of at least 3 hosts. `no_rentals_known`: the source does not say which GPUs are rented. null: none is missing',
  )
