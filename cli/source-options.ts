import { Option } from 'commander'

export interface SourceFlags {
  source?: string[]
  map?: string
}

export interface CatalogOptions {
  catalog?: string
}

export const catalogOption = new Option(
  '--catalog <name>',
  'catalog of cloud list prices, read every hour: gpuhunt, or gpuhunt=URL of the folder that contains v3/ (default: CATALOG)',
)

export const sourceOption = new Option(
  '--source <kind=place>',
  "source of a market: exporter=URL, vast=URL, file=URL or command='…'; prefix NAME: to override the default name; can be repeated (default: SOURCES)",
).argParser((text, before: string[] = []) => [...before, text])

export const sourceMapOption = new Option(
  '--map <pairs>',
  'meaning of the columns of file and command, as in rackrate import, without slot (default: SOURCE_MAP)',
)

/** The option of a command that works on one market. */
export const marketOption = new Option(
  '--source <name>',
  'the source whose market to use (default: the first)',
)
