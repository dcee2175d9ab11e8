import { isDeepStrictEqual } from 'node:util'
import { invalidArgs } from '../../../platform/errors.ts'
import type { Vault } from '../../../platform/security/vault.ts'
import type { Job, JobFields } from './schema.ts'

type Body = Job['request_body']

export const bodyPurpose = (accountId: number) => `scheduled job of ${accountId}`

export const sealBody = (vault: Vault, accountId: number, body: Body): Buffer =>
  vault.seal(JSON.stringify(body), bodyPurpose(accountId))

export const openBody = (vault: Vault, accountId: number, sealed: Buffer): Body =>
  JSON.parse(vault.open(sealed, bodyPurpose(accountId)))

const secretFields = new Set(['docker_login_pass', 'credentials', 'code', 'secret', 'backup_code'])
const mask = '***'

/** A body as the API returns it: with secrets masked. */
export const masked = (body: Body): Body =>
  JSON.parse(JSON.stringify(body, (name, value) => (secretFields.has(name) ? mask : value)))

const hasMask = (body: Body): boolean => JSON.stringify(body).includes(`:"${mask}"`)

/**
 * The body that an updated job sends. A client that sends back the returned body keeps the stored body. A hidden secret is never
 * sent to another endpoint and never appears beside other fields. Throws 400 for that.
 */
export function updatedBody(job: Job, given: JobFields): Body {
  const { request_body = job.request_body, api_endpoint, request_method } = given
  const isSame =
    request_body === job.request_body || isDeepStrictEqual(request_body, masked(job.request_body))
  const goesElsewhere =
    (api_endpoint != null && api_endpoint !== job.api_endpoint) ||
    (request_method != null && request_method !== job.request_method)
  const hasSecrets = hasMask(masked(job.request_body))
  if (isSame && !(goesElsewhere && hasSecrets)) return job.request_body
  if (request_body && !isSame && !hasMask(request_body)) return request_body
  throw invalidArgs(`request_body: send the fields that are shown as ${mask} again`)
}
