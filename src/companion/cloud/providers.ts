import { z } from 'zod'
import { type Provider, providers } from '../../../contract/copytool.ts'
import { hasPrivateHost } from '../../../platform/security/private-network.ts'

const text = z.string().trim().min(1).max(8192)
const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .max(2048)
  .refine((url) => URL.canParse(url) && !new URL(url).username && !new URL(url).password, {
    error: 'must not contain a password',
  })
  .refine((url) => URL.canParse(url) && !hasPrivateHost(url), {
    error: 'must be on the public internet',
  })

/**
 * The credentials of each type, named like rclone's options. No other option is accepted: some make rclone run a command or read the
 * host's files.
 */
const shapes = {
  s3: z.strictObject({
    access_key_id: text,
    secret_access_key: text,
    region: text.optional(),
    endpoint: httpUrl.optional().describe('For a service compatible with S3. Default: AWS'),
  }),
  b2: z.strictObject({ account: text, key: text }),
  drive: z.strictObject({ token: text, root_folder_id: text.optional() }),
  dropbox: z.strictObject({ token: text }),
  webdav: z.strictObject({ url: httpUrl, user: text.optional(), pass: text.optional() }),
} satisfies Record<Provider, z.ZodObject>

const variants = providers.map((provider) =>
  z.object({ name: text.max(100), cloud_type: z.literal(provider), credentials: shapes[provider] }),
)
export const connectionBody = z.discriminatedUnion(
  'cloud_type',
  variants as [(typeof variants)[number], ...typeof variants],
)
