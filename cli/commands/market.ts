import type { Command } from 'commander'
import { UsageError } from '../../platform/usage-error.ts'
import { withMarket } from '../command.ts'
import { type JsonOption, jsonOption, print } from '../output.ts'
import { marketOption } from '../source-options.ts'

export const market = (program: Command) =>
  program
    .command('market [GPU]')
    .description('show the market of the newest snapshot as a table; with a GPU name, its book and revenue')
    .addOption(marketOption)
    .addOption(jsonOption)
    .action(
      withMarket<JsonOption>(async ({ operands: [gpu], options, stores }) => {
        const { readBook, readMarket } = await import('../../src/market/market-tables.ts')
        const { bookText, marketText } = await import('../market-text.ts')
        if (gpu === undefined) {
          const rows = await readMarket(stores)
          return print(options, { gpus: rows }, marketText(rows))
        }
        const book = await readBook(stores, gpu)
        if (!book) throw new UsageError(`The market has no GPU ${gpu}. \`rackrate market\` lists the names.`)
        print(options, book, bookText(book))
      }),
    )
