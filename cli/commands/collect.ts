import type { Command } from 'commander'
import { UsageError } from '../../platform/usage-error.ts'
import { type Call, withStores } from '../command.ts'
import { type JsonOption, jsonOption, print } from '../output.ts'
import type { ConfiguredSource } from '../site-sources.ts'
import { callsPerMinuteOption, type SourceFlags, sourceMapOption, sourceOption } from '../source-options.ts'
import type { MarketStores, SiteStores } from '../stores.ts'

interface CollectOptions extends JsonOption, SourceFlags {
  accept?: boolean
}

export const collect = (program: Command) =>
  program
    .command('collect')
    .description(
      "take the current slot from the site's sources now, unless they were asked for this slot before; --source name chooses one of SOURCES",
    )
    .addOption(sourceOption)
    .addOption(sourceMapOption)
    .addOption(callsPerMinuteOption)
    .option(
      '--accept',
      'read the source even if it is not due, and accept a much smaller market or a new address of the same market',
    )
    .addOption(jsonOption)
    .action(withStores<CollectOptions>(collectAll))

async function collectAll(call: Call<CollectOptions> & { stores: SiteStores }): Promise<void> {
  const { listSources } = await import('../../collect/sources.ts')
  const { inMarket } = await import('../markets.ts')
  const { chosenSources } = await import('../site-sources.ts')
  const sources = chosenSources(call.config, call.options)
  if (sources.length === 0) throw new UsageError('Set --source or SOURCES to the source of the market.')
  const known = await listSources(call.stores.postgres)
  for (const source of sources) {
    // With one market, a renamed source keeps the market.
    const name = known.length > 1 || sources.length > 1 ? source.name : undefined
    await inMarket(call, name, (stores) => collectOne({ ...call, stores }, source))
  }
}

async function collectOne(
  { config, options, stores }: Call<CollectOptions> & { stores: MarketStores },
  { name, source }: ConfiguredSource,
): Promise<void> {
  const { collect } = await import('../../collect/collect.ts')
  const { keepToSource } = await import('../../collect/site-source.ts')
  const { currentSlot } = await import('../../ingest/capture.ts')
  const { loadAll } = await import('../../ingest/load.ts')
  const { noteInterval } = await import('../../platform/stores/slot-interval.ts')
  const { accept = false } = options
  await keepToSource(stores.postgres, source, { replace: accept })
  const interval = config.snapshotInterval
  await noteInterval(stores.postgres, interval)
  const slot = await currentSlot(stores.postgres, interval)
  const taken = await collect(stores, source, { slot, interval, accept })
  await loadAll(stores)
  const text = taken
    ? `Took slot ${slot} from ${source.name}: ${taken.observations} observations${taken.unchanged ? ', as before' : ''}.`
    : `${source.name} was already read for slot ${slot}, or asks for a pause. Add --accept to read it anyway.`
  print(options, { source: name, slot, taken: taken !== undefined, ...taken }, text)
}
