import { type Command, Option } from 'commander'
import { formatNames } from '../../import/format-names.ts'
import type { FormatOptions } from '../../import/formats.ts'
import type { ImportReport } from '../../import/import-files.ts'
import { UsageError } from '../../platform/usage-error.ts'
import { withMarket } from '../command.ts'
import { type JsonOption, jsonOption, print } from '../output.ts'
import type { MarketStores } from '../stores.ts'

interface ImportOptions extends FormatOptions, JsonOption {
  into?: string
}

const mapHelp = `columns of files without a built-in format: target=column pairs, separated by commas;
target=:value sets a constant. Targets:
  slot          time of the observation: unix seconds, or ISO 8601 (UTC unless it has an offset)
  machine_id    a number, or any text that identifies the machine
  gpu_name      GPU type
  price         USD per GPU-hour; or price_total: USD per hour for all GPUs of the row
  num_gpus      GPUs of the machine (default 1)
  gpus          GPUs that the row describes (default num_gpus)
  rented        yes/no, true/false, 1/0 (default no: available)
  verified      yes/no, true/false, 1/0; other words mean no (default no)
  hosting_type  community or secure_cloud (default unknown)
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
      'add price observations from CSV or JSON Lines files, gzipped or not, to the series; or, as `import skypilot FOLDER`, list prices from the history of a clone of skypilot-catalog',
    )
    .addOption(new Option('--format <name>', 'built-in format').choices(formatNames))
    .option('--offers <file>', 'offers file of --format aws-spot')
    .option('--map <pairs>', mapHelp)
    .option('--source <name>', 'source name of observations read with --map', 'import')
    .option('--into <source>', 'the source whose market they are imported into (default: the first)')
    .addOption(jsonOption)
    .action(
      withMarket<ImportOptions>(
        async ({ operands, options, stores }) => {
          const [kind, folder, ...more] = operands
          if (kind === 'skypilot' && folder !== undefined && more.length === 0)
            return importCatalogs(stores, folder, options)
          const { formatOf } = await import('../../import/formats.ts')
          const { importFiles } = await import('../../import/import-files.ts')
          const { reportProgress } = await import('../progress.ts')
          const report = await importFiles(stores, operands, {
            format: await formatOf(options),
            onRead: reportProgress('reading'),
            onNew: (rows) =>
              rows > 0 && console.error(`${rows.toLocaleString('en')} new rows, updating derived rows`),
          })
          print(options, report, summaryOf(report))
        },
        ({ into }) => into,
      ),
    )

async function importCatalogs(stores: MarketStores, folder: string, options: ImportOptions): Promise<void> {
  const { importSkypilot } = await import('../../import/skypilot.ts')
  const { reportProgress } = await import('../progress.ts')
  if (options.into !== undefined) throw new UsageError('List prices belong to the whole site. Omit --into.')
  const report = await importSkypilot(stores, folder, { onRead: reportProgress('reading') })
  const { commits, files, changes, providers, unreadable } = report
  const of = Object.entries(providers).map(([name, { offers }]) => `  ${name}: ${offers} offers with a GPU`)
  const summary = `${commits} commits, ${files} new files, ${changes} changed prices`
  print(options, report, [summary, ...of, ...unreadable.map((text) => `  Not read: ${text}`)].join('\n'))
}

const shownRejections = 20

function summaryOf({ read, inserted, duplicate, rejected, rejected_total }: ImportReport): string {
  const reasons = rejected.slice(0, shownRejections).map(({ line, reason }) => `  line ${line}: ${reason}`)
  const more = rejected_total - reasons.length
  return [
    `${read} rows read, ${inserted} inserted, ${duplicate} duplicate, ${rejected_total} rejected`,
    ...reasons,
    ...(more > 0 ? [`  … and ${more} more (--json lists them)`] : []),
  ].join('\n')
}
