import { z } from 'zod'
import { epochOut, id, named } from '../../../contract/fields.ts'

const mostTemplates = 50

// Clients send null for a field that they do not set.
const text = (most: number, standard = '') =>
  z
    .string()
    .max(most)
    .nullish()
    .transform((given) => given ?? standard)
const flag = (standard = false) =>
  z
    .boolean()
    .nullish()
    .transform((given) => given ?? standard)

/** The content of a template. Equal contents are one template. */
const content = {
  name: z.string().trim().min(1, 'is required').max(200),
  image: z.string().trim().min(1, 'is required').max(500),
  tag: z
    .string()
    .trim()
    .max(128)
    .nullish()
    .transform((given) => given || 'latest'),
  env: text(16_384).describe('Docker flags'),
  onstart: text(4048).describe('At most 4048 characters; compress longer scripts with gzip and base64'),
  runtype: z
    .enum(['ssh', 'jupyter', 'args'])
    .nullish()
    .transform((given) => given ?? 'ssh'),
  ssh_direct: flag(),
  jup_direct: flag(),
  jupyter_dir: text(1000),
  use_jupyter_lab: flag(),
  use_ssh: flag(),
  docker_login_repo: text(500),
  docker_login_user: text(200),
  extra_filters: z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((given) => given ?? {}),
  recommended_disk_space: z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^\d{1,7}(\.\d+)?$/, 'must be a number of GB')
          .transform(Number),
      ],
      {
        error: 'must be a number of GB',
      },
    )
    .refine((size) => size >= 0 && size <= 1_000_000, { error: 'must be from 0 to 1000000' })
    .nullish()
    .transform((given) => given ?? 8)
    .describe('GB, default 8'),
  desc: text(2000),
  readme: text(65_536),
  readme_visible: flag(),
  args_str: text(4096),
  href: text(2000),
  repo: text(2000),
  private: flag(),
  volume_info: z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((given) => given ?? null),
}

const templateContent = z.object(content)
export type TemplateContent = z.infer<typeof templateContent>

export const templateInput = templateContent.extend({
  id: id.nullish().describe('The earlier version of this template, which must be in the library'),
  docker_login_pass: z
    .string()
    .max(4096)
    .nullish()
    .transform((given) => given || undefined)
    .describe('Access token; encrypted at rest, never returned'),
})
export type TemplateInput = z.infer<typeof templateInput>

/** The fields of an edit by id: what is null or absent stays as it was. */
export const templateEditById = templateInput.extend({
  id: id.describe('`id` of the template'),
  name: content.name.nullish(),
  image: content.image.nullish(),
})

/** The template by the hash of its content. */
export const templateEdit = templateEditById
  .omit({ id: true })
  .extend({ hash_id: z.string().max(200).describe('`hash_id` of the template') })

export const templatesBody = z.object({
  templates: z
    .array(templateInput, {
      error: (issue) => (issue.input == null ? 'templates cannot be null' : undefined),
    })
    .max(mostTemplates),
  referral_template_id: id.nullish().describe('A template that stays at the top of the library'),
  is_an_edit: flag().describe('true: the earlier versions (`id`) leave the library'),
})

export type TemplatesBody = z.infer<typeof templatesBody>

/** A template as the API returns it. */
export const template = named('Template', {
  id: z.int(),
  hash_id: z.string().describe('Hash of the content'),
  creator_id: z.int(),
  created_at: epochOut,
  count_created: z.int().describe('Number of instances created from it'),
  ...Object.fromEntries(Object.keys(content).map((name) => [name, z.unknown()])),
})
export type Template = z.infer<typeof template>

/** The answer with one template that was saved. */
export const templateAnswer = named('SavedTemplate', { success: z.literal(true), msg: z.string(), template })

export const templatesAnswer = named('TemplateLibrary', {
  success: z.literal(true),
  templates: z
    .array(template)
    .describe('The whole library: the referral template first, then the most recently updated first'),
})
export type TemplatesAnswer = z.infer<typeof templatesAnswer>
