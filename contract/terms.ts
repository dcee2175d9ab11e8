import { z } from 'zod'
import { named } from './fields.ts'
import { marketFilter, tierFilter } from './filter-fields.ts'
import { needsMachine } from './history.ts'
import { termNames, terms } from './listing-terms.ts'
import { recordOf } from './records.ts'

const eachTerm = <Schema extends z.ZodType>(schema: (meaning: string) => Schema) =>
  recordOf(termNames, (name) => schema(terms[name].meaning))

/** The terms of one listing. */
export const listingTerms = named(
  'ListingTerms',
  eachTerm((meaning) => z.number().nullable().describe(`${meaning}; null: not known`)),
)
export type ListingTerms = z.infer<typeof listingTerms>

const figure = z.number().nullable()
const distribution = named('TermDistribution', {
  machines: z.int().describe('Machines for which the term is known'),
  p10: figure.describe('Nearest rank over these machines, like median and p90; null: `reason` explains why'),
  median: figure,
  p90: figure,
  reason: z
    .enum(['not_known', 'few_machines', 'few_hosts'])
    .nullable()
    .describe(
      'Reason for null percentiles: known for no machine, for fewer than 5 machines, or for machines of fewer than 3 hosts',
    ),
})

/** The query string of GET /api/v0/metrics/gpu/terms: the filters of the history. */
export const termsQuery = marketFilter.extend(tierFilter)

export const gpuTerms = named('GpuTerms', {
  machines: z.int().describe('Machines on the market'),
  ...eachTerm((meaning) => distribution.describe(meaning)),
})
export type GpuTerms = z.infer<typeof gpuTerms>

export const termsAnswer = z.object({
  success: z.literal(true),
  needs_machine: needsMachine,
  slot: z.int().nullable().describe('Unix seconds: the snapshot described; null without any'),
  gpus: z.record(z.string(), gpuTerms),
})
