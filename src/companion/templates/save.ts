import type pg from 'pg'
import { invalidArgs } from '../../../platform/errors.ts'
import type { Vault } from '../../../platform/security/vault.ts'
import { loadSql } from '../../../platform/stores/sql.ts'
import type { TemplateContent, TemplateInput } from './schema.ts'

const mostInLibrary = 500
const purpose = (accountId: number) => `docker password of ${accountId}`

/** A template as it's in a library. */
interface Previous {
  id: number
  creator_id: number
  docker_login_user: string
  docker_login_repo: string
  docker_login_pass_sealed: Buffer | null
}

/**
 * Saves templates to the library of an account whose row is locked. A template never changes: other content is another template, equal
 * content the same one. Throws 400, and then nothing is saved.
 */
export async function saveTemplates(
  client: pg.PoolClient,
  vault: Vault,
  accountId: number,
  templates: TemplateInput[],
  { isAnEdit, referral }: { isAnEdit: boolean; referral: number | undefined },
): Promise<void> {
  for (const template of templates) {
    const previous = template.id == null ? undefined : await findPrevious(client, accountId, template.id)
    const saved = await saveOne(client, vault, accountId, template, previous)
    await link(client, accountId, saved)
    if (isAnEdit && previous && previous.id !== saved) await unlink(client, accountId, previous.id)
  }
  if (referral !== undefined) await putOnTop(client, accountId, referral)
  const { rows } = await client.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM template_library WHERE account_id = $1 AND deleted_at IS NULL',
    [accountId],
  )
  if ((rows[0]?.n ?? 0) > mostInLibrary)
    throw invalidArgs(`A library holds at most ${mostInLibrary} templates`)
}

async function findPrevious(client: pg.PoolClient, accountId: number, id: number): Promise<Previous> {
  const { rows } = await client.query<Previous>(loadSql('postgres/queries/templates/previous'), [
    accountId,
    id,
  ])
  if (!rows[0]) throw invalidArgs(`There is no template ${id} in your library`)
  return rows[0]
}

/** The id of the template with this content, which is made if there is none. */
async function saveOne(
  client: pg.PoolClient,
  vault: Vault,
  accountId: number,
  { id: _, docker_login_pass, ...content }: TemplateInput,
  previous: Previous | undefined,
): Promise<number> {
  const password = docker_login_pass ?? kept(vault, accountId, content, previous)
  if (content.docker_login_user !== '' && password === undefined)
    throw invalidArgs('templates with docker username must have an access token')
  const hashId = hashOf(vault, content, password)
  const { rows } = await client.query<{ id: number }>(loadSql('postgres/queries/templates/save'), [
    accountId,
    hashId,
    content,
    password === undefined ? null : vault.seal(password, purpose(accountId)),
  ])
  return (rows[0] as { id: number }).id
}

// Passwords never come out, so a client that edits a template has none to send: it stays, as long as it's one's own, and for the same
// user of the same registry.
const kept = (
  vault: Vault,
  accountId: number,
  content: TemplateContent,
  previous: Previous | undefined,
): string | undefined =>
  previous?.docker_login_pass_sealed &&
  previous.creator_id === accountId &&
  previous.docker_login_user === content.docker_login_user &&
  previous.docker_login_repo === content.docker_login_repo
    ? vault.open(previous.docker_login_pass_sealed, purpose(accountId))
    : undefined

/** Keyed, so that nobody tries passwords out on it. */
function hashOf(vault: Vault, content: TemplateContent, password: string | undefined): string {
  const text = JSON.stringify([sorted(content), password ?? null])
  return vault.fingerprint(text, 'template').toString('hex').slice(0, 32)
}

/** With the fields of every object in alphabetical order: equal contents, equal text. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  )
}

async function link(client: pg.PoolClient, accountId: number, templateId: number): Promise<void> {
  await client.query(
    `INSERT INTO template_library (account_id, template_id, updated_at) VALUES ($1, $2, clock_timestamp())
     ON CONFLICT (account_id, template_id) DO UPDATE SET deleted_at = NULL, updated_at = clock_timestamp()`,
    [accountId, templateId],
  )
}

async function unlink(client: pg.PoolClient, accountId: number, templateId: number): Promise<void> {
  await client.query(
    'UPDATE template_library SET deleted_at = now(), is_referral = false WHERE account_id = $1 AND template_id = $2',
    [accountId, templateId],
  )
}

async function putOnTop(client: pg.PoolClient, accountId: number, templateId: number): Promise<void> {
  await client.query(
    'UPDATE template_library SET is_referral = false WHERE account_id = $1 AND is_referral',
    [accountId],
  )
  const { rowCount } = await client.query(loadSql('postgres/queries/templates/referral'), [
    accountId,
    templateId,
  ])
  if (rowCount === 0) throw invalidArgs(`There is no template ${templateId} for referral_template_id`)
}
