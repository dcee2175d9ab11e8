#!/usr/bin/env node
import { Command } from 'commander'
import { toError } from '../contract/failure.ts'
import { UsageError } from '../platform/usage-error.ts'
import { account } from './commands/account.ts'
import { accounts } from './commands/accounts.ts'
import { agent } from './commands/agent.ts'
import { autopilot } from './commands/autopilot.ts'
import { backup } from './commands/backup.ts'
import { check } from './commands/check.ts'
import { claim } from './commands/claim.ts'
import { collect } from './commands/collect.ts'
import { compare } from './commands/compare.ts'
import { copy } from './commands/copy.ts'
import { exportFiles } from './commands/export.ts'
import { importFiles } from './commands/import.ts'
import { imports } from './commands/imports.ts'
import { key } from './commands/key.ts'
import { market } from './commands/market.ts'
import { mcp } from './commands/mcp.ts'
import { migrate } from './commands/migrate.ts'
import { reconcile } from './commands/reconcile.ts'
import { restore } from './commands/restore.ts'
import { rollup } from './commands/rollup.ts'
import { seed } from './commands/seed.ts'
import { serve } from './commands/serve.ts'
import { snapshot } from './commands/snapshot.ts'
import { sql } from './commands/sql.ts'
import { up } from './commands/up.ts'
import { vault } from './commands/vault.ts'
import { worker } from './commands/worker.ts'

const program = new Command('rackrate')
  .description('Market statistics of a GPU rental marketplace.')
  .addHelpText(
    'after',
    `
Without a command, rackrate runs \`up\`.
Settings are environment variables, also read from a file .env in the working directory; .env.example lists them.
Exit codes: 0 done, 1 failed or found a problem, 2 wrong usage or configuration.`,
  )
  .showHelpAfterError('Run rackrate --help for a list of commands, or add --help to a command.')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))

for (const register of [
  up,
  serve,
  worker,
  agent,
  migrate,
  account,
  accounts,
  importFiles,
  imports,
  exportFiles,
  key,
  market,
  sql,
  mcp,
  seed,
  snapshot,
  collect,
  claim,
  autopilot,
  rollup,
  check,
  compare,
  copy,
  backup,
  restore,
  reconcile,
  vault,
])
  register(program)

// Commander's isDefault would take a misspelt command for an argument of `up`, and suggest nothing.
const given = process.argv.slice(2)
const [first = '--'] = given
const isUp = first.startsWith('-') && !['-h', '--help'].includes(first)

try {
  await program.parseAsync(isUp ? ['up', ...given] : given, { from: 'user' })
} catch (error) {
  console.error(`rackrate: ${toError(error).message}`)
  // Resources opened before the failure would keep the process alive. Embedded databases end with it.
  process.exit(error instanceof UsageError ? error.exitCode : 1)
}
