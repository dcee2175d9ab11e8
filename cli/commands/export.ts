import { type Command, Option } from 'commander'
import {
  type DataFormat,
  type DataStatistic,
  dataFormats,
  dataStatistics,
} from '../../contract/data-formats.ts'
import { withMarket } from '../command.ts'
import { jsonOption, print } from '../output.ts'
import { fromOption, type RangeOptions, toOption } from '../range-options.ts'
import { marketOption } from '../source-options.ts'

interface ExportOptions extends RangeOptions {
  statistic?: DataStatistic
  format: DataFormat
  folder: string
}

export const exportFiles = (program: Command) =>
  program
    .command('export')
    .description('write market statistics to files, one for each day (UTC)')
    .addOption(new Option('--statistic <name>', 'only this statistic').choices(dataStatistics))
    .addOption(new Option('--format <name>', 'format of the files').choices(dataFormats).default('parquet'))
    .option('--folder <path>', 'folder to write to', 'data')
    .addOption(fromOption)
    .addOption(toOption)
    .addOption(marketOption)
    .addOption(jsonOption)
    .action(
      withMarket<ExportOptions>(async ({ options, stores }) => {
        const { exportDays } = await import('../../src/publish/data/export.ts')
        const { statistic, format, folder, from = 0, to = Number.POSITIVE_INFINITY } = options
        const statistics = statistic ? [statistic] : dataStatistics
        const files = await exportDays(stores, { statistics, format, folder, from, to })
        const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
        print(options, { files }, `Wrote ${files.length} files, ${bytes} bytes, to ${folder}.`)
      }),
    )
