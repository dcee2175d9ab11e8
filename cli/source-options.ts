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
  'where list prices of clouds come from, every hour: gpuhunt, or gpuhunt=URL of the folder that holds v3/ (default: CATALOG)',
)

export const sourceOption = new Option(
  '--source <kind=place>',
  "where a market comes from: exporter=URL, vast=URL, file=URL or command='…', with name: in front if it is to have another name than its kind; can be repeated (default: SOURCES)",
).argParser((text, before: string[] = []) => [...before, text])

export const sourceMapOption = new Option(
  '--map <pairs>',
  'what the columns of file and command mean, as in rackrate import, without slot (default: SOURCE_MAP)',
)

/** Of a command that works on one market. */
export const marketOption = new Option(
  '--source <name>',
  'the source whose market to use (default: the first)',
)
