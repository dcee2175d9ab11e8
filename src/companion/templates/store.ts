import { invalidArgs } from '../../../platform/errors.ts'
import type { Vault } from '../../../platform/security/vault.ts'
import { one } from '../../../platform/stores/rows.ts'
import type { Account } from '../context.ts'
import type { TemplateContent, TemplateInput, TemplatesBody } from './schema.ts'

const mostInLibrary = 500
export const passwordPurpose = (accountId: number) => `docker password of ${accountId}`

/** An earlier version of a template. */
interface Previous {
  id: number
  creator_id: number
  docker_login_user: string
  docker_login_repo: string
  docker_login_pass_sealed: Buffer | null
}

/** Saves templates to the library of an account, and returns their ids. If it throws 400, nothing is saved. */
export async function storeTemplates(
  account: Account,
  { templates, is_an_edit, referral_template_id }: TemplatesBody,
): Promise<number[]> {
  const { id: accountId, client } = account
  const ids: number[] = []
  for (const template of templates) {
    const previous = template.id == null ? undefined : await findPrevious(account, template.id)
    const saved = await saveOne(account, template, previous)
    ids.push(saved)
    await client.query('templates/link', [accountId, saved])
    if (is_an_edit && previous && previous.id !== saved)
      await client.query('templates/unlink', [accountId, previous.id])
  }
  if (referral_template_id != null) await putOnTop(account, referral_template_id)
  const { rows } = await client.query<{ n: number }>('templates/count', [accountId])
  if (one(rows).n > mostInLibrary) throw invalidArgs(`A library can have at most ${mostInLibrary} templates`)
  return ids
}

async function findPrevious({ id: accountId, client }: Account, id: number): Promise<Previous> {
  const { rows } = await client.query<Previous>('templates/previous', [accountId, id])
  if (!rows[0]) throw invalidArgs(`There is no template ${id} in your library`)
  return rows[0]
}

/** Returns the id of the template with this content, which is created if there is none. */
async function saveOne(
  account: Account,
  { id: _, docker_login_pass, ...content }: TemplateInput,
  previous: Previous | undefined,
): Promise<number> {
  const { id: accountId, client, vault } = account
  const password = docker_login_pass ?? keptPassword(account, content, previous)
  if (content.docker_login_user !== '' && password === undefined)
    throw invalidArgs('templates with docker username must have an access token')
  const { rows } = await client.query<{ id: number }>('templates/save', [
    accountId,
    contentHash(vault, content, password),
    content,
    password === undefined ? null : vault.seal(password, passwordPurpose(accountId)),
  ])
  return one(rows).id
}

// Passwords are never returned, so a client that edits a template has none to send. The password stays if the template is the
// account's own and user and registry are the same.
const keptPassword = (
  { id: accountId, vault }: Account,
  content: TemplateContent,
  previous: Previous | undefined,
): string | undefined =>
  previous?.docker_login_pass_sealed &&
  previous.creator_id === accountId &&
  previous.docker_login_user === content.docker_login_user &&
  previous.docker_login_repo === content.docker_login_repo
    ? vault.open(previous.docker_login_pass_sealed, passwordPurpose(accountId))
    : undefined

/** A keyed hash: without the key, passwords cannot be tested against it. */
function contentHash(vault: Vault, content: TemplateContent, password: string | undefined): string {
  const text = JSON.stringify([sorted(content), password ?? null])
  return vault.fingerprint(text, 'template').toString('hex').slice(0, 32)
}

/** Sorts the fields of every object alphabetically: equal contents give equal text. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  )
}

async function putOnTop({ id: accountId, client }: Account, templateId: number): Promise<void> {
  await client.query('templates/clear_referral', [accountId])
  const { rowCount } = await client.query('templates/referral', [accountId, templateId])
  if (rowCount === 0) throw invalidArgs(`There is no template ${templateId} for referral_template_id`)
}
