import type { Command } from 'commander'
import { withMarket } from '../command.ts'
import { jsonOption, print } from '../output.ts'
import { fromOption, type RangeOptions, toOption } from '../range-options.ts'
import { marketOption } from '../source-options.ts'

export const check = (program: Command) =>
  program
    .command('check')
    .description('verify derived rows against observations, and that each slot is stored once')
    .addOption(fromOption)
    .addOption(toOption)
    .addOption(marketOption)
    .addOption(jsonOption)
    .action(
      withMarket<RangeOptions>(async ({ options, stores }) => {
        const { siteSource } = await import('../../collect/site-source.ts')
        const { check } = await import('../../ingest/check.ts')
        const { rangeToCheck } = await import('../../ingest/requested-range.ts')
        const result = await check(stores, await rangeToCheck(stores, options))
        const ok = result.rows.length + result.flows.length + result.slots.length + result.lost.length === 0
        const source = await siteSource(stores.postgres)
        if (source?.problem)
          console.error(`${source.source} gave no market ${source.failures} times: ${source.problem}`)
        print(
          options,
          { ok, ...result, ...(source && { source }) },
          ok ? 'No problems found.' : JSON.stringify(result, null, 2),
        )
        if (!ok) process.exitCode = 1
      }),
    )
