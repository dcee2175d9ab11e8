import { InvalidArgumentError, Option } from 'commander'

export interface SourceFlags {
  source?: string[]
  map?: string
  callsPerMinute?: number
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

export const callsPerMinuteOption = new Option(
  '--calls-per-minute <number>',
  'searches that are sent to a source of the kind vast in a minute, 1 to 60 (default: SOURCE_CALLS_PER_MINUTE, or 8)',
).argParser((text) => {
  const calls = Number(text)
  if (!Number.isInteger(calls) || calls < 1 || calls > 60)
    throw new InvalidArgumentError('It must be a whole number from 1 to 60.')
  return calls
})

/** The option of a command that works on one market. */
export const marketOption = new Option(
  '--source <name>',
  'the source whose market to use (default: the first)',
)
