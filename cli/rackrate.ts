#!/usr/bin/env node
import { Command, InvalidArgumentError, Option } from 'commander'
import { formats } from '../contract/sql.ts'
import { DataDirInUseError } from '../embedded/data-dir-lock.ts'
import { mappingHelp } from '../import/mapping.ts'
import { type Reconciled, reconcile } from '../ingest/reconcile.ts'
import { revokeKey } from '../platform/security/api-keys.ts'
import { WrongVaultError } from '../platform/security/vault.ts'
import { type AccountsOptions, accountStatements, makeAnalyst } from './commands/accounts.ts'
import { agent } from './commands/agent.ts'
import { formatNames, formatOf, type ImportOptions, importInto } from './commands/import.ts'
import { createKeyFor, keyRoles, parseExpiry } from './commands/key.ts'
import { seedAccounts, seedKeys } from './commands/seed.ts'
import { backUpSeries, checkSeries, rebuildCube, restoreSeries, takeSnapshot } from './commands/series.ts'
import { serve } from './commands/serve.ts'
import { type SqlCommandOptions, sql } from './commands/sql.ts'
import { up } from './commands/up.ts'
import { worker } from './commands/worker.ts'
import { type Config, readConfig, UsageError } from './config.ts'
import { withStores } from './stores.ts'
import { startTracing } from './tracing.ts'

const program = new Command('rackrate')
  .description(
    'Market statistics of a GPU rental marketplace. Configured by environment variables, see .env.example.',
  )
  .addHelpText(
    'after',
    '\nExit codes: 0 done, 1 failed or found something wrong, 2 wrong usage or configuration.',
  )
  .showHelpAfterError()
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))

const json = new Option('--json', 'print JSON for programs')
const print = (asJson: boolean | undefined, result: object, text: string) =>
  console.log(asJson ? JSON.stringify(result) : text)

const seconds = (text: string): number => {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('must be unix seconds')
  return Number(text)
}
const expiry = (text: string): Date => {
  const date = parseExpiry(text)
  if (!date) throw new InvalidArgumentError('must be a time to come: 2030-01-31, 30d or 12h')
  return date
}

const parameter = (text: string, before: Record<string, string> = {}): Record<string, string> => {
  const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(text) ?? []
  if (name === '') throw new InvalidArgumentError('must be name=value')
  return { ...before, [name]: value }
}

const ids = (text: string, before: number[] = []): number[] => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('must be ids')
  return [...before, Number(text)]
}

/** Makes a command's action: reads the configuration and passes it on, with the options. Traces what it does when there is a collector. */
const withConfig =
  <Options>(action: (config: Config, options: Options) => Promise<void>) =>
  async (options: Options, command: Command): Promise<void> => {
    const config = readConfig()
    const tracing = config.tracesTo ? startTracing(config.tracesTo, command.name()) : undefined
    await action(config, options).finally(() => tracing?.stop())
  }

program
  .command('up', { isDefault: true })
  .description('run everything: engines, API and workers, with a simulated market when the database is empty')
  .option('--no-demo', 'leave an empty database empty')
  .addOption(json)
  .action(withConfig(up))

program
  .command('serve')
  .description('run the API without workers')
  .addOption(new Option('--only <service>', 'one of the two services').choices(['metrics', 'companion']))
  .action(withConfig(serve))

program.command('worker').description('run the workers without the API').action(withConfig(worker))

program
  .command('agent')
  .description(
    "run the reference agent of a host: takes copy tasks of its machines (AGENT_KEY: the host's API key)",
  )
  .requiredOption('--machine <ids...>', 'ids of machines of the host', ids)
  .requiredOption('--root <folder>', 'holds a folder for each instance, named by its id')
  .option('--url <url>', 'where the service is', 'http://127.0.0.1:8080')
  .option('--rclone <program>', 'which rclone', 'rclone')
  .option('--bwrap <program>', 'which bubblewrap', 'bwrap')
  .option('--allow-private-clouds', "let tenants' clouds be in the host's own network")
  .action(withConfig(agent))

program
  .command('migrate')
  .description('bring both databases to the newest schema')
  .action(
    withConfig((config) =>
      withStores(config, async () => console.log('The schema is up to date.'), { migrateAgain: true }),
    ),
  )

program
  .command('accounts')
  .description(
    "print the SQL that makes ClickHouse's accounts of this configuration, for an administrator to run; passwords are hashed in it",
  )
  .option('--reader', 'CLICKHOUSE_USER only reads, which is enough for `serve`')
  .option('--apply', 'make the account for ad hoc SQL now, as CLICKHOUSE_USER, who may')
  .action(
    withConfig<AccountsOptions>(async (config, options) => {
      if (options.apply) await makeAnalyst(config)
      console.log(options.apply ? 'The account for ad hoc SQL is there.' : accountStatements(config, options))
    }),
  )

program
  .command('import <files...>')
  .description('read price observations from CSV or JSON Lines files, gzipped or not, into the series')
  .addOption(new Option('--format <name>', 'a built-in format').choices(formatNames))
  .option('--offers <file>', 'what the offer ids of --format aws-spot mean')
  .option('--map <pairs>', mappingHelp)
  .option('--source <name>', 'with --map: what the observations are called', 'import')
  .addOption(json)
  .action(async (files: string[], options: ImportOptions & { json?: boolean }) => {
    const format = await formatOf(options)
    const report = await withStores(readConfig(), (stores) => importInto(stores, files, format))
    const { read, inserted, duplicate, rejected, rejected_total } = report
    const reasons = rejected.slice(0, 20).map(({ line, reason }) => `\n  line ${line}: ${reason}`)
    const more =
      rejected_total > reasons.length
        ? `\n  … and ${rejected_total - reasons.length} more (--json lists them)`
        : ''
    const text = `${read} rows read, ${inserted} inserted, ${duplicate} duplicate, ${rejected_total} rejected${reasons.join('')}${more}`
    print(options.json, report, text)
  })

const key = program.command('key').description('make and revoke API keys')

key
  .command('create')
  .description('make an API key; it is shown this once')
  .addOption(
    new Option('--role <role>', 'what its account may be').choices([...keyRoles]).makeOptionMandatory(),
  )
  .option('--email <address>', 'of the account; without, a new account is made')
  .option('--expires <time>', '2030-01-31, 30d or 12h', expiry)
  .addOption(json)
  .action(
    withConfig<{ role: (typeof keyRoles)[number]; email?: string; expires?: Date; json?: boolean }>(
      (config, options) =>
        withStores(config, async ({ postgres }) => {
          const made = await createKeyFor(postgres, options)
          print(options.json, made, `Key ${made.id}: ${made.key}`)
        }),
    ),
  )

key
  .command('revoke <id>')
  .description('revoke a key by its id or its public prefix')
  .addOption(json)
  .action((id: string, options: { json?: boolean }) =>
    withStores(readConfig(), async ({ postgres }) => {
      const revoked = await revokeKey(postgres, id)
      print(options.json, { revoked }, revoked ? `Key ${id} is revoked.` : `There is no living key ${id}.`)
      if (!revoked) process.exitCode = 1
    }),
  )

program
  .command('sql <statement>')
  .description('ask the analytics database, read-only and within limits')
  .addOption(new Option('--format <name>', 'of the answer').choices(Object.keys(formats)).default('TSV'))
  .option('--param <name=value>', 'a value for {name:Type} in the statement; repeat for more', parameter)
  .action((statement: string, options: SqlCommandOptions) => sql(readConfig(), statement, options))

program
  .command('seed')
  .description(
    'make accounts to try every operation on: a host, a renter with an instance, a team; prints new keys of theirs',
  )
  .addOption(json)
  .action((options: { json?: boolean }) =>
    withStores(readConfig(), async ({ postgres, vault }) => {
      const seeded = await seedAccounts(postgres, vault)
      const result = { ...seeded, keys: await seedKeys(postgres, seeded) }
      print(options.json, result, JSON.stringify(result, null, 2))
    }),
  )

program
  .command('snapshot')
  .description('take the present slot now, if it is not taken, and load it')
  .addOption(json)
  .action(
    withConfig<{ json?: boolean }>((config, options) =>
      withStores(config, async (stores) => {
        const snapshot = await takeSnapshot(stores, config.snapshotInterval)
        print(
          options.json,
          snapshot,
          snapshot.taken
            ? `Took slot ${snapshot.slot} with ${snapshot.observations} observations.`
            : `Slot ${snapshot.slot} was taken before.`,
        )
      }),
    ),
  )

interface SeriesOptions {
  from?: number
  to?: number
  json?: boolean
}

/** A command that works on a part of the series. */
const seriesCommand = (name: string, description: string) =>
  program
    .command(name)
    .description(description)
    .option('--from <time>', 'unix seconds, default: the first slot', seconds)
    .option('--to <time>', 'unix seconds, default: the last slot', seconds)
    .addOption(json)

seriesCommand('rollup', 'make derived rows anew from the observations')
  .requiredOption('--rebuild', 'say that you mean it')
  .action(
    withConfig<SeriesOptions>((config, options) =>
      withStores(config, async (stores) => {
        const range = await rebuildCube(stores, options)
        print(options.json, range, `Rebuilt ${range.from} to ${range.to}.`)
      }),
    ),
  )

seriesCommand(
  'check',
  'does every row of the cube equal what the observations give, and is every slot there once?',
).action(
  withConfig<SeriesOptions>((config, options) =>
    withStores(config, async (stores) => {
      const result = await checkSeries(stores, options)
      const wrong = result.rows.length + result.slots.length + result.lost.length
      print(
        options.json,
        { ok: wrong === 0, ...result },
        wrong === 0 ? 'All is well.' : JSON.stringify(result, null, 2),
      )
      if (wrong > 0) process.exitCode = 1
    }),
  ),
)

program
  .command('backup <name>')
  .description(
    'have ClickHouse write the series to its disk `backups`, with nothing half done in it; PostgreSQL has pg_dump (docs/operations.md)',
  )
  .addOption(json)
  .action((name: string, options: { json?: boolean }) =>
    withStores(readConfig(), async (stores) => {
      const bytes = await backUpSeries(stores, name)
      print(options.json, { name, bytes }, `Wrote ${name}, ${bytes} bytes.`)
    }),
  )

interface ReconcileOptions {
  acceptLoss?: boolean
  json?: boolean
}

const acceptLoss = new Option(
  '--accept-loss',
  'let snapshots that are whole in neither store become gaps; what there is of them is removed',
)

program
  .command('restore <name>')
  .description('bring the series back from a backup into an empty database of ClickHouse, then reconcile')
  .addOption(acceptLoss)
  .addOption(json)
  .action(async (name: string, options: ReconcileOptions) =>
    printReconciled(options, await restoreSeries(readConfig(), name, options)),
  )

program
  .command('reconcile')
  .description('make PostgreSQL and ClickHouse agree after one of them was restored, or both')
  .addOption(acceptLoss)
  .addOption(json)
  .action(
    withConfig<ReconcileOptions>((config, options) =>
      withStores(config, async (stores) => printReconciled(options, await reconcile(stores, options))),
    ),
  )

function printReconciled(options: ReconcileOptions, result: Reconciled): void {
  const { done, adopted, reopened, lost } = result
  const gaps = `${lost.length} snapshots are whole in neither store: of ${lost.slice(0, 10).join(', ')}${lost.length > 10 ? ' …' : ''}`
  print(
    options.json,
    result,
    done
      ? `${adopted} snapshots adopted from ClickHouse, ${reopened.length} loaded again${lost.length > 0 ? `; ${gaps}` : ''}.`
      : `Not reconciled: ${gaps}. Begin anew with a newer backup of ClickHouse, or run \`rackrate reconcile --accept-loss\`.`,
  )
  if (!done) process.exitCode = 1
}

try {
  await program.parseAsync()
} catch (error) {
  const usage =
    error instanceof UsageError || error instanceof DataDirInUseError || error instanceof WrongVaultError
  console.error(
    usage || !(error instanceof Error)
      ? String((error as Error).message ?? error)
      : `rackrate: ${error.message}`,
  )
  process.exitCode = usage ? 2 : 1
}
