import { hasPrivateHost } from '../platform/security/private-network.ts'
import { UsageError } from '../platform/usage-error.ts'
import { command } from './command.ts'
import { exporter } from './exporter.ts'
import { file } from './file.ts'
import { offerSearch } from './offers.ts'
import type { Source } from './source.ts'

export interface SourceOptions {
  /** What the columns of `file` and `command` mean. */
  map?: string | undefined
  /** A mail or web address for the people behind the source. */
  contact?: string | undefined
}

/** The source that `kind=place` names. Throws UsageError. */
export function openSource(text: string, { map, contact }: SourceOptions): Source {
  const [, kind = '', place = ''] = /^\s*(\w+)=(.+)$/s.exec(text) ?? []
  const userAgent = contact ? `rackrate (+${contact})` : 'rackrate'
  if (map !== undefined && kind !== 'file' && kind !== 'command')
    throw new UsageError('A mapping can only be used with the sources file and command.')
  switch (kind) {
    case 'exporter':
      return exporter(place, userAgent)
    case 'vast':
      return offerSearch(place, userAgent)
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

/** Whether strangers are asked who cannot know by whom. */
export const isAnonymous = (text: string, { contact }: SourceOptions): boolean =>
  !contact && /^\s*\w+=https?:/.test(text) && !hasPrivateHost(text.replace(/^\s*\w+=/, ''))
