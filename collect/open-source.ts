import { hasPrivateHost } from '../platform/security/private-network.ts'
import { UsageError } from '../platform/usage-error.ts'
import { command } from './command.ts'
import { exporter } from './exporter.ts'
import { file } from './file.ts'
import { offerSearch, type SearchOptions } from './offers.ts'
import type { Source } from './source.ts'

export interface SourceOptions extends SearchOptions {
  /** The mapping from columns to fields, for `file` and `command`. */
  map?: string | undefined
  /** A mail or web address at which the source's operators can reach the site. */
  contact?: string | undefined
}

/** Opens the source that `kind=place` names. Throws UsageError. */
export function openSource(text: string, { map, contact, ...search }: SourceOptions): Source {
  const [, kind = '', place = ''] = /^\s*(\w+)=(.+)$/s.exec(text) ?? []
  const userAgent = contact ? `rackrate (+${contact})` : 'rackrate'
  if (map !== undefined && kind !== 'file' && kind !== 'command')
    throw new UsageError('A mapping can only be used with the sources file and command.')
  switch (kind) {
    case 'exporter':
      return exporter(place, userAgent)
    case 'vast':
      return offerSearch(place, userAgent, search)
    case 'file':
      return file(place, userAgent, map)
    case 'command':
      return command(place, map)
    default:
      throw new UsageError(
        `A source must be exporter=URL, vast=URL, file=URL or command='…', optionally with a name: in front, but it is: ${text.slice(0, 100)}`,
      )
  }
}

/** True if requests go to a third party without a contact in the user agent. */
export const isAnonymous = (text: string, { contact }: SourceOptions): boolean =>
  !contact && /^\s*\w+=https?:/.test(text) && !hasPrivateHost(text.replace(/^\s*\w+=/, ''))
