import { z } from 'zod'
import { type Filters, hostingChoices, type Tier, tiers, verifiedChoices } from './market-filter.ts'

// The filter of the market in each form in which programs send it.

type Fields = Record<keyof Filters, z.ZodType>

/** The filters in a query string. */
export const marketFilter = z.object({
  verified: z
    .enum(verifiedChoices, { error: "verified must be 'yes', 'no', or 'all'" })
    .default('yes')
    .describe(
      'Only verified machines, only unverified ones, or both. The arrays of the excluded machines contain zeros.',
    ),
  hosting_type: z
    .enum(hostingChoices, {
      error: `hosting_type must be ${new Intl.ListFormat('en', { type: 'disjunction' }).format(hostingChoices.map((choice) => `'${choice}'`))}`,
    })
    .default('all'),
  num_gpus: z
    .string({ error: "num_gpus must be 'all' or a number of GPUs" })
    .refine((text) => text === 'all' || (/^\d{1,4}$/.test(text) && Number(text) >= 1), {
      error: "num_gpus must be 'all' or a number of GPUs",
    })
    .transform((text) => (text === 'all' ? 0 : Number(text)))
    .meta({
      type: 'string',
      description: '`all`, or only rigs of this many GPUs (1, 2, 4, 8, …).',
      example: '8',
    })
    .prefault('all'),
  gpu_memory: z
    .string({ error: "gpu_memory must be 'all' or a number of GB" })
    .refine((text) => text === 'all' || (/^\d{1,4}$/.test(text) && Number(text) >= 1), {
      error: "gpu_memory must be 'all' or a number of GB",
    })
    .transform((text) => (text === 'all' ? 0 : Number(text)))
    .meta({
      type: 'string',
      description:
        '`all`, or only GPUs with this much memory, GB per GPU as sold (40, 80, …). Sizes that drivers report are rounded to sizes of products.',
      example: '80',
    })
    .prefault('all'),
} satisfies Fields)

/** The filters of statements. A tier of hosts is a further value of `verified`. */
export type MarketFilter = Omit<z.output<typeof marketFilter>, 'verified'> & {
  verified: (typeof verifiedChoices)[number] | Tier
}

/** The tier of hosts in a query string. */
export const tierFilter = {
  tier: z
    .enum(['all', ...tiers], { error: `tier must be 'all' or one of: ${tiers.join(', ')}` })
    .default('all')
    .describe('Only machines of this tier of hosts. It replaces `verified`'),
}

/** A query in which the tier, if one is given, is the value of `verified`. */
export const withTier = <Query extends object>(query: Query): Query =>
  'tier' in query && query.tier !== 'all'
    ? { ...query, verified: query.tier === 'verified' ? 'yes' : query.tier }
    : query

/** The filters of an alert rule. */
export const alertFilter = {
  verified: z.enum(verifiedChoices).default('yes'),
  hosting_type: z.enum(hostingChoices).default('all'),
  num_gpus: z.int().min(0).max(1024).default(0).describe('Only rigs with this many GPUs; 0: all'),
  gpu_memory: z
    .int()
    .min(0)
    .max(9999)
    .default(0)
    .describe('Only GPUs with this much memory, GB per GPU as sold; 0: all'),
} satisfies Fields

/** The filters of an assistant's tool. */
export const toolFilter = {
  verified: z.enum(verifiedChoices).default('yes').describe('Only verified machines, only others, or all'),
  hosting_type: z.enum(hostingChoices).default('all'),
  num_gpus: z.int().min(1).max(9999).optional().describe('Only machines with this many GPUs'),
  gpu_memory: z
    .int()
    .min(1)
    .max(9999)
    .optional()
    .describe('Only GPUs with this much memory, GB per GPU. Some GPU names have several sizes'),
} satisfies Fields
