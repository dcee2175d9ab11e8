import { Option } from 'commander'

export interface SourceOptions {
  source?: string[]
  map?: string
}

export const sourceOption = new Option(
  '--source <kind=place>',
  "where the market comes from: exporter=URL, vast=URL, file=URL or command='…' (default: SOURCES)",
).argParser((text, before: string[] = []) => [...before, text])

export const sourceMapOption = new Option(
  '--map <pairs>',
  'what the columns of file and command mean, as in rackrate import, without slot (default: SOURCE_MAP)',
)
