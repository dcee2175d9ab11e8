import { z } from 'zod'
import { greatestMachine, named } from './fields.ts'
import { integer } from './history.ts'
import { sourceName } from './sources.ts'

/** The most ids of a claim. */
export const mostClaimed = { hosts: 100, machines: 1000 } as const

const ids = (most: number, description: string) =>
  z
    .array(z.int().min(1).max(greatestMachine))
    .max(most)
    .default([])
    .transform((given) => [...new Set(given)].sort((one, other) => one - other))
    .describe(description)

const claimedSource = z
  .string()
  .regex(sourceName, 'must be the name of a source')
  .optional()
  .describe('The name of a source (`GET /api/v0/metrics/sources`). Default: the first')

// Used as a header value unchanged.
export const hostKey = z.string().regex(/^[\x21-\x7e]{8,512}$/, 'must be 8 to 512 letters, digits and signs')

/** The body that writes a claim. */
export const claimBody = z.strictObject({
  source: claimedSource,
  hosts: ids(
    mostClaimed.hosts,
    'Host ids of the source: claims all machines whose last known host is one of them',
  ),
  machines: ids(
    mostClaimed.machines,
    'Machine ids of the source: claims these machines, whoever their host is',
  ),
  key: hostKey
    .nullish()
    .describe(
      "The API key of the host's account at the marketplace, which proves the claim. It is tested, stored encrypted and never returned. null: delete the key and the data that was read with it. Absent: no change",
    ),
})

export const claimQuery = z.object({ source: claimedSource })

export const findQuery = z.object({
  source: claimedSource,
  id: integer('A host id or a machine id of the source', 'id must be an id').refine(
    (id) => id >= 1 && id <= greatestMachine,
    { error: 'id must be an id' },
  ),
})

/** A summary of machines. */
export const machinesTaken = named('MachinesTaken', {
  machines: z.int().describe('Machines seen on the market within the last 30 days'),
  gpus: z.int().describe('Their GPUs'),
  gpu_types: z
    .array(z.object({ gpu_name: z.string(), machines: z.int(), gpus: z.int() }))
    .describe('Totals by GPU name, largest number of GPUs first'),
})
export type MachinesTaken = z.infer<typeof machinesTaken>

export const claim = named('Claim', {
  source: z.string(),
  hosts: z.array(z.int()),
  machines: z.array(z.int()),
  proven: z
    .boolean()
    .describe(
      "True if the account's key proves the claim: the marketplace shows it all of these machines that are on the market now. false: the claim is unverified",
    ),
  proof: z
    .object({
      proven_at: z.int().describe('Unix seconds: when the marketplace last accepted the key'),
      machines: z.int().describe('Number of machines that the marketplace showed to the key'),
      can_do_more: z
        .boolean()
        .nullable()
        .describe(
          "True if the key can do more than read machines and earnings: when it was entered, it could list the account's API keys. null: unknown",
        ),
      problem: z
        .string()
        .nullable()
        .describe(
          'The problem of the newest reading, or the reason why the claim is not proven. null: no problem',
        ),
    })
    .nullable()
    .describe('State of the key; null: none was given'),
  taken: machinesTaken.describe('The machines that this claim covers now'),
})
export type Claim = z.infer<typeof claim>
export type ClaimedIds = Pick<Claim, 'hosts' | 'machines'>

export const claimsAnswer = z.object({
  success: z.literal(true),
  claims: z.array(claim).describe('One for each source of which the account claims machines'),
})

export const claimAnswer = z.object({ success: z.literal(true), claim })

export const foundAnswer = z.object({
  success: z.literal(true),
  source: z.string(),
  host: machinesTaken
    .extend({ id: z.int() })
    .nullable()
    .describe('The host with this id and its machines; null: there is none'),
  machine: z
    .object({
      id: z.int(),
      gpu_name: z.string(),
      num_gpus: z.int(),
      last_seen: z.int().describe('Unix seconds'),
    })
    .nullable()
    .describe('The machine with this id, without its host; null: there is none'),
})
export type ClaimLookup = z.infer<typeof foundAnswer>
