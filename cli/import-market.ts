import { keepOfficialServer, officialState, readOfficialServers } from '../collect/read-official.ts'
import { listSources } from '../collect/sources.ts'
import { timeText } from '../ingest/problems.ts'
import { UsageError } from '../platform/usage-error.ts'
import { keyIn } from './key-file.ts'
import { type JsonOption, leftOutNames, print } from './output.ts'
import type { MarketStores, SiteStores } from './stores.ts'

interface ImportMarketCall {
  site: SiteStores
  market: MarketStores
  options: JsonOption & {
    into?: string
    from?: string
    keyFile?: string
    since?: number
    forget?: boolean
  }
}

/**
 * `rackrate import market`: stores the server, and reads its history of the market of a source as far back as it answers. A worker keeps it up to date, and
 * continues a reading that was interrupted.
 */
export async function importMarket({ site, market, options }: ImportMarketCall): Promise<void> {
  const { into, from, keyFile, since } = options
  const source = into ?? (await listSources(site.postgres)).find(({ is_first }) => is_first)?.name
  if (source === undefined)
    throw new UsageError(
      'This site has no source: it records its own marketplace as a whole. Start it with --source first.',
    )
  if (options.forget) {
    await site.postgres.query('official/forget', [source])
    return print(
      options,
      { source },
      `The official server of ${source} is no longer read. What was read stays.`,
    )
  }
  if (from === undefined || keyFile === undefined)
    throw new UsageError('Give --from URL and --key-file FILE with a key of that server.')
  await keepOfficialServer(site, { source, url: from, key: keyIn(keyFile), from: since })
  const markets = into === undefined ? [] : [{ ...market, name: source }]
  const { parts, rows, leftOut } = await readOfficialServers(
    { ...site, markets },
    {
      source,
      onPart: (part) =>
        console.error(
          `${timeText(part.from)} to ${timeText(part.to)}, verified ${part.verified}: ${part.rows.toLocaleString('en')} rows`,
        ),
      onWait: (message) => console.error(message),
    },
  )
  const state = await officialState(site.postgres, market.postgres, source)
  const range =
    state?.first == null || state.last === null
      ? 'The server has no history of this market.'
      : `The history of ${source} is known from ${timeText(state.first)} to ${timeText(state.last)}.`
  const done = `${parts} parts with ${rows.toLocaleString('en')} rows read. ${range} It is kept up to date.`
  print(
    options,
    { source, parts, rows, left_out: leftOut, official: state },
    [done, ...leftOutNames(leftOut)].join('\n'),
  )
}
