import { type Command, Option } from 'commander'
import { hostingTypes } from '../../contract/market-filter.ts'
import type { FormatOptions } from '../../import/format-names.ts'
import { formatNames } from '../../import/format-names.ts'
import type { KnownImport } from '../../import/identity.ts'
import type { ImportOptions, ImportReport } from '../../import/import-files.ts'
import type { Taken } from '../../import/judge.ts'
import { timeText } from '../../ingest/problems.ts'
import { UsageError } from '../../platform/usage-error.ts'
import { withMarket } from '../command.ts'
import { seconds } from '../option-values.ts'
import { type JsonOption, jsonOption, print } from '../output.ts'
import type { MarketStores } from '../stores.ts'
import { table } from '../table.ts'

interface ImportCall extends Partial<FormatOptions>, JsonOption {
  into?: string
  replace?: string
  dryRun?: boolean
  accept?: boolean
  from?: string
  keyFile?: string
  since?: number
  forget?: boolean
}

const mapHelp = `columns of files without a built-in format: target=column pairs, separated by commas;
target=:value sets a constant. Targets:
  slot          time of the observation: unix seconds, or a time such as ISO 8601 (UTC unless it has an offset)
  machine_id    a number, or any text that identifies the machine
  gpu_name      GPU type
  price         USD per GPU-hour; or price_total: USD per hour for all GPUs of the row
  num_gpus      GPUs of the machine (default 1)
  gpus          GPUs that the row describes (default num_gpus)
  rented        yes/no, true/false, 1/0 (default no: available)
  verified      yes/no, true/false, 1/0; other words mean no (default no)
  hosting_type  ${hostingTypes.join(' or ')} (default unknown)
  rental_type   on_demand, reserved or interruptible (default unknown)
  min_gpus      smallest part of the machine that can be rented, in GPUs (default unknown)
  country       ISO 3166 code, alone or at the end of a place: US; California, US (default unknown)
  host_id       a number, or any text that identifies the host (default unknown)
  gpu_ram       MB per GPU (default unknown)
  tflops, dlperf  per GPU (default unknown)
Example: --map slot=ts,machine_id=id,gpu_name=gpu,num_gpus=n,price_total=usd_hr,verified=:yes`

export const importFiles = (program: Command) =>
  program
    .command('import <files...>')
    .description(
      'add price observations from CSV, JSON Lines or Parquet files to the series; or, as `import skypilot FOLDER`, list prices from the history of a clone of skypilot-catalog; or, as `import market`, the history of the market from another server of the contract',
    )
    .addOption(new Option('--format <name>', 'built-in format').choices(formatNames))
    .option('--offers <file>', 'offers file of --format aws-spot')
    .option('--map <pairs>', mapHelp)
    .option('--source <name>', 'source name of observations read with --map (default: import)')
    .option('--replace <id>', 'remove the rows of this import, and take the file in their place')
    .option('--dry-run', 'print what would be taken and what would be left out, and change nothing')
    .option('--accept', 'take the rest of a file of which more than a tenth cannot be used')
    .option('--from <url>', 'of `import market`: the server whose history is read, and kept up to date')
    .option(
      '--key-file <file>',
      'of `import market`: file with an API key of that server; it is stored encrypted',
    )
    .option('--since <time>', 'of `import market`: unix seconds before which nothing is read', seconds)
    .option('--forget', 'of `import market`: no longer read the server; what was read stays')
    .option('--into <source>', 'the source whose market they are imported into (default: the first)')
    .addOption(jsonOption)
    .action(
      withMarket<ImportCall>(
        async ({ operands, options, stores, site }) => {
          const [kind, folder, ...more] = operands
          if (kind === 'market' && folder === undefined && (options.from ?? options.forget) !== undefined)
            return (await import('../import-market.ts')).importMarket({ site, market: stores, options })
          if (
            [options.from, options.keyFile, options.since, options.forget].some(
              (given) => given !== undefined,
            )
          )
            throw new UsageError(
              '--from, --key-file, --since and --forget belong to `rackrate import market`.',
            )
          if (kind === 'skypilot' && folder !== undefined && more.length === 0)
            return importCatalogs(stores, folder, options)
          const { formatOf } = await import('../../import/formats.ts')
          const { importFiles, tryFiles } = await import('../../import/import-files.ts')
          const { reportProgress } = await import('../progress.ts')
          const replaces = await replacedBy(stores, operands, options)
          const work: ImportOptions = {
            format: await formatOf(readWith(options, replaces)),
            replaces,
            accept: options.accept,
            onRead: reportProgress('reading'),
            onNew: (rows) =>
              rows > 0 && console.error(`${rows.toLocaleString('en')} new rows, updating derived rows`),
          }
          if (options.dryRun) {
            const { report, taken } = await tryFiles(stores, operands, work)
            const summary = summaryOf({ ...report, imports: [] }, 10)
            const text = `${summary}\n${takenText(taken)}\nThis was a dry run: nothing was imported.`
            return print(options, { ...report, taken }, text)
          }
          const report = await importFiles(stores, operands, work)
          print(options, report, summaryOf(report, shownRejections))
        },
        ({ into }) => into,
      ),
    )

async function replacedBy(
  stores: MarketStores,
  files: readonly string[],
  { replace }: ImportCall,
): Promise<KnownImport | undefined> {
  if (replace === undefined) return undefined
  if (files.length !== 1) throw new UsageError('--replace takes one file.')
  const { findImport } = await import('../../import/identity.ts')
  return findImport(stores, replace)
}

/** Format, columns and source of the file. An option that is missing is taken from the replaced import. */
function readWith(
  { format, map, offers, source }: ImportCall,
  replaces: KnownImport | undefined,
): FormatOptions {
  const before = replaces?.record?.format
  const name = source ?? replaces?.source ?? 'import'
  if (format === undefined && map === undefined && before) return { ...before, source: name }
  return {
    source: name,
    ...(format !== undefined && { format }),
    ...(map !== undefined && { map }),
    ...(offers !== undefined && { offers }),
  }
}

async function importCatalogs(stores: MarketStores, folder: string, options: ImportCall): Promise<void> {
  const { importSkypilot } = await import('../../import/skypilot.ts')
  const { reportProgress } = await import('../progress.ts')
  if (options.into !== undefined) throw new UsageError('List prices belong to the whole site. Omit --into.')
  if (options.replace !== undefined || options.dryRun)
    throw new UsageError('--replace and --dry-run are for files of prices, not for the history of a catalog.')
  const report = await importSkypilot(stores, folder, { onRead: reportProgress('reading') })
  const { commits, files, changes, providers, unreadable } = report
  const of = Object.entries(providers).map(([name, { offers }]) => `  ${name}: ${offers} offers with a GPU`)
  const summary = `${commits} commits, ${files} new files, ${changes} changed prices`
  print(options, report, [summary, ...of, ...unreadable.map((text) => `  Not read: ${text}`)].join('\n'))
}

const shownRejections = 20

function summaryOf(report: ImportReport, shown: number): string {
  const { read, inserted, duplicate, rejected, rejected_total, imports } = report
  const reasons = rejected.slice(0, shown).map(({ line, reason }) => `  line ${line}: ${reason}`)
  const more = rejected_total - reasons.length
  return [
    `${read} rows read, ${inserted} inserted, ${duplicate} duplicate, ${rejected_total} rejected`,
    ...reasons,
    ...(more > 0 ? [`  … and ${more} more (--json lists them)`] : []),
    ...(imports.length > 0
      ? [`Import ${imports.join(', ')}. \`rackrate imports\` lists, replaces and removes it.`]
      : []),
  ].join('\n')
}

/** Printed by slot and GPU name if these are few, otherwise by GPU name. */
function takenText({ bySlot, byName }: Taken): string {
  const price = ({ lowest, highest }: { lowest: number; highest: number }) =>
    lowest === highest ? lowest.toFixed(4) : `${lowest.toFixed(4)} – ${highest.toFixed(4)}`
  if (byName.length === 0) return 'Nothing would be taken.'
  if (bySlot)
    return table(
      ['slot', 'GPU', 'machines', 'GPUs', 'USD per GPU-hour'],
      bySlot.map((one) => [timeText(one.slot), one.gpu_name, `${one.machines}`, `${one.gpus}`, price(one)]),
    )
  return table(
    ['GPU', 'slots', 'from', 'to', 'machines per slot', 'GPUs per slot', 'USD per GPU-hour'],
    byName.map((one) => {
      const { gpu_name, slots, first, last, machines, gpus } = one
      const perSlot = [machines, gpus].map((sum) => (sum / slots).toFixed(1))
      return [gpu_name, `${slots}`, timeText(first), timeText(last), ...perSlot, price(one)]
    }),
  )
}
