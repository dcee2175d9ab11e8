import { z } from 'zod'
import { epochOut, id, named } from './fields.ts'

export const flags = [
  '--dry-run',
  '--size-only',
  '--ignore-existing',
  '--update',
  '--delete-excluded',
] as const
export const transfers = ['Instance To Cloud', 'Cloud To Instance'] as const

/** Types of cloud connections, named like rclone's remotes. */
export const providers = ['s3', 'b2', 'drive', 'dropbox', 'webdav'] as const
export type Provider = (typeof providers)[number]

/** Options of an rclone remote by name. */
export const credentialsOf = z.record(z.string(), z.string())
export type Credentials = z.infer<typeof credentialsOf>

// A path becomes an argument of a program on the host.
const path = z
  .string()
  .min(1)
  .max(4096)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  .refine((text) => !/[\u0000-\u001f\u007f]/.test(text), { error: 'must not contain control characters' })
  .refine((text) => !text.split(/[/\\]/).includes('..'), { error: "must not contain '..'" })

const transfer = z
  .string()
  .transform((text) => transfers.find((known) => known.toLowerCase() === text.trim().toLowerCase()))
  .refine((known) => known !== undefined, { error: `must be one of ${transfers.join(', ')}` })
  .meta({
    description: `${transfers.map((known) => `\`${known}\``).join(' or ')}, in any case`,
    example: transfers[0],
  })

export const copyBody = named('CloudCopy', {
  instance_id: id.describe('A running instance of the account'),
  src: path.describe('A path in the instance or in the cloud, depending on `transfer`'),
  dst: path,
  selected: id.describe('A cloud connection of the account'),
  transfer,
  flags: z
    .array(z.enum(flags))
    .max(20)
    .nullish()
    .transform((given) => [...new Set(given ?? [])]),
})
export type CopyBody = z.infer<typeof copyBody>

/** A copy as it is stored, and as the host sees it. */
export const copyTask = z.object({
  instance_id: z.int(),
  src: z.string(),
  dst: z.string(),
  transfer: z.enum(transfers),
  flags: z.array(z.enum(flags)),
})
export type CopyTask = z.infer<typeof copyTask>

/** A copy as a host's agent fetches it. */
export const fetchedTask = z.object({
  success: z.literal(true),
  machine_id: z.int(),
  task: copyTask,
  cloud: z.object({
    provider: z.enum(providers),
    credentials: credentialsOf.describe(
      'Options of an rclone remote of this type. Keep them out of files, arguments and logs',
    ),
  }),
})
export type FetchedTask = z.infer<typeof fetchedTask>

export const loggedTask = z.object({
  success: z.literal(true),
  received: z.int().describe('Characters received so far: the next `offset`'),
})

export const waitingTasks = z.object({
  success: z.literal(true),
  tasks: z.array(z.object({ token: z.string(), created_at: epochOut, expires_at: epochOut })),
})
