import { createHash } from 'node:crypto'
import { UsageError } from '../platform/usage-error.ts'

/**
 * The URL of a source: http or https. Without a path it gets the usual one. The name leaves out the query, which may contain a
 * secret. A few letters derived from the query distinguish two of them. Throws UsageError.
 */
export function placeOf(text: string, usualPath: string): { url: URL; name: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`The address of a source must begin with http:// or https://: ${text.slice(0, 100)}`)
  if (url.username !== '' || url.password !== '')
    throw new UsageError('The address of a source must have no user name and no password.')
  if (url.pathname === '/') url.pathname = usualPath
  url.hash = ''
  return { url, name: `${url.origin}${url.pathname}${markOf(url.search)}` }
}

/** Letters derived from a text, which do not reveal it. Empty for an empty text. */
export const markOf = (text: string): string =>
  text === '' ? '' : `#${createHash('sha256').update(text).digest('hex').slice(0, 12)}`
