import { createHash } from 'node:crypto'
import { UsageError } from '../platform/usage-error.ts'

/**
 * The address of a source: http or https; without a path it gets the usual one. Its name has no query, which may hold a secret: a few letters
 * that depend on it tell two queries apart. Throws UsageError.
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

/** Letters that stand for a text without showing it. Nothing for no text. */
export const markOf = (text: string): string =>
  text === '' ? '' : `#${createHash('sha256').update(text).digest('hex').slice(0, 12)}`
