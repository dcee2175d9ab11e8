import { z } from 'zod'

const share = z.number().nullable()

/** A machine beside the machines of its class that other hosts own. */
export const compSet = z.object({
  mpi: share.describe(
    'Market penetration index: own occupancy in percent of the occupancy of the other machines of exactly its class, over 7 days',
  ),
  ari: share.describe(
    'Average rate index: own mean price of rented GPUs in percent of theirs; null when either had nothing rented',
  ),
  rgi: share.describe(
    'Revenue generation index: own revenue per available GPU in percent of theirs, mpi × ari ÷ 100',
  ),
  reason: z
    .enum(['not_seen', 'few_machines', 'few_hosts', 'dominant_host', 'not_rented', 'no_rentals_known'])
    .nullable()
    .describe(
      'Why they are null: fewer than 4 other machines, fewer than 3 other hosts, a host with more than half of the GPUs, nothing rented, or a source that does not show rentals',
    ),
})
