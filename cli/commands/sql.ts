import { pipeline } from 'node:stream/promises'
import { type Command, Option } from 'commander'
import { formats, type SqlFormat } from '../../contract/sql-formats.ts'
import { UsageError } from '../../platform/usage-error.ts'
import { withConfig } from '../command.ts'
import { parameter } from '../option-values.ts'

interface SqlCommandOptions {
  format: SqlFormat
  param?: Record<string, string>
}

export const sql = (program: Command) =>
  program
    .command('sql <statement>')
    .description('run a read-only SQL statement on the analytics database, within limits')
    .addOption(new Option('--format <name>', 'output format').choices(Object.keys(formats)).default('TSV'))
    .option('--param <name=value>', 'value of {name:Type} in the statement; can be repeated', parameter)
    .action(
      withConfig<SqlCommandOptions>(async ({ config, operands: [query], options }) => {
        const { sqlBody } = await import('../../contract/sql.ts')
        const { runSql } = await import('../../src/sql/run-sql.ts')
        const { openCosts } = await import('../../src/sql/costs.ts')
        const { useStores } = await import('../stores.ts')
        const { format, param = {} } = options
        const parsed = sqlBody.safeParse({ query, format, params: param })
        if (!parsed.success)
          throw new UsageError(parsed.error.issues.map(({ message }) => message).join('\n'))
        await useStores(config, async ({ postgres, adHoc }) => {
          if (!adHoc) throw new UsageError('CLICKHOUSE_SQL_USER must name the account for ad hoc SQL.')
          const leaving = new AbortController()
          process.once('SIGINT', () => leaving.abort())
          const stores = { ...adHoc, postgres, costs: openCosts(postgres, adHoc.operator) }
          const { stream, audited } = await runSql(stores, null, parsed.data, leaving.signal)
          try {
            await pipeline(stream, process.stdout, { end: false })
          } finally {
            await audited
            await stores.costs.close()
          }
        })
      }),
    )
