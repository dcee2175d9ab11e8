import { z } from 'zod'
import { named } from './fields.ts'
import { needsMachine } from './history.ts'
import { placesQuery } from './places.ts'
import { withInterval } from './returns.ts'

/** The query string of GET /api/v0/metrics/gpu/worth. It has the parameters of the places. */
export const worthQuery = placesQuery.extend({
  gpu_name: placesQuery.shape.gpu_name.meta({
    type: 'string',
    description:
      'One GPU name, or `all`: machines are compared with others of their GPU name and size of memory only',
    example: 'RTX 4090',
  }),
})
export type WorthQuery = z.output<typeof worthQuery>

/** The specs that are compared by size: each doubling counts the same. */
export const sizedSpecs = [
  'inet_up',
  'inet_down',
  'disk_bw',
  'disk_space',
  'cpu_cores_effective',
  'cpu_ram',
  'pcie_bw',
  'gpu_mem_bw',
  'direct_port_count',
] as const

export const factorKinds = ['spec', 'place', 'tier', 'hosting', 'rig'] as const
export type FactorKind = (typeof factorKinds)[number]

const worthReasons = ['few_machines', 'few_hosts', 'alike', 'not_distinct'] as const
const reason = z
  .enum(worthReasons)
  .nullable()
  .describe(
    'Reason for nulls: fewer than 20 machines or 10 hosts with it or without it, machines that are alike in it, or an interval that contains 0',
  )

export const worthFactor = named('WorthFactor', {
  kind: z.enum(factorKinds),
  name: z
    .string()
    .describe(
      'Name of the spec, code of the country or name of the region, tier, `secure_cloud`, or `num_gpus`',
    ),
  unit: z
    .enum(['doubling', 'version', 'yes', 'all_places', 'verified'])
    .describe(
      'The comparison: twice as much, one more version, with it and without it, or beside all places or verified machines',
    ),
  machines: z.int().describe('Machines that have it; of a figure: whose figure is known'),
  hosts: z.int(),
  price: withInterval.describe(
    'Worth as a share of the price of rented GPUs: 0.05 is 5 % more. All intervals of an answer hold together in 95 % of cases',
  ),
  price_reason: reason,
  fill: withInterval.describe('Worth as a share of the rate of rentals at the same price'),
  fill_reason: reason,
})
export type WorthFactor = z.infer<typeof worthFactor>

export const worthAnswer = z.object({
  success: z.literal(true),
  needs_machine: needsMachine,
  to: z.int().nullable().describe('Unix seconds: the end of the newest published day; null without any'),
  days: z.int().describe('Published days of the 30 before it'),
  machines: z.int().describe('Machines that are compared'),
  hosts: z.int(),
  reason: z
    .enum(['few_machines', 'few_hosts', 'no_rentals_known', 'young_market'])
    .nullable()
    .describe(
      'Reason for no factors: fewer than 50 machines or 10 hosts, a source without rentals, or fewer than 7 published days',
    ),
  factors: z
    .array(worthFactor)
    .describe('Observed beside each other, not caused: machines may differ in what is not recorded'),
})
export type WorthAnswer = z.infer<typeof worthAnswer>
