import type { Command } from 'commander'
import { dryRunWords } from '../../estimates/replay-words.ts'
import { type Call, withStores } from '../command.ts'
import { type JsonOption, jsonOption, print } from '../output.ts'
import type { SiteStores } from '../stores.ts'

interface AutopilotOptions extends JsonOption {
  dryRun?: boolean
  replay?: boolean
}

export const autopilot = (program: Command) =>
  program
    .command('autopilot')
    .description(
      'apply the price rules of own machines to the newest snapshot and make the pending price changes, as a worker does each minute',
    )
    .option('--dry-run', 'print what each rule would do now, without doing it')
    .option('--replay', 'print what dry runs of rules would have earned, without changing anything')
    .addOption(jsonOption)
    .action(withStores<AutopilotOptions>(runOnce))

async function runOnce({
  config,
  options,
  stores,
}: Call<AutopilotOptions> & { stores: SiteStores }): Promise<void> {
  const { openSender } = await import('../../src/rules/webhook/send.ts')
  const { replayAll, runAutopilot, suggestAll } = await import('../../src/autopilot/run.ts')
  const { closeMarkets, openMarkets } = await import('../markets.ts')
  const { snapshotInterval, autopilotCommand, webhookPrivateHosts: privateHosts } = config
  const markets = await openMarkets(config, stores)
  const context = {
    ...stores,
    snapshotInterval,
    autopilotCommand,
    markets,
    sendHook: openSender({ privateHosts }),
  }
  try {
    if (options.replay) {
      const replays = await replayAll(context)
      const lines = replays.flatMap((replay) => [
        `${replay.rule}: ${dryRunWords(replay)}`,
        ...replay.machines.map(
          ({ machine_id, gpu_name, reason: why }) => `  machine ${machine_id} (${gpu_name}): ${why}`,
        ),
      ])
      return print(options, { replays }, lines.length > 0 ? lines.join('\n') : 'No rule is on a dry run now.')
    }
    if (!options.dryRun) {
      const decisions = await runAutopilot(context)
      print(options, { decisions }, `${decisions} decisions were written. The ledger has them.`)
      return
    }
    const suggestions = await suggestAll(context)
    const lines = suggestions.map(({ rule, machine_id, gpu_name, kind, reason }) =>
      [`${rule}: machine ${machine_id} (${gpu_name})`, `  ${kind}: ${reason}`].join('\n'),
    )
    print(options, { suggestions }, lines.length > 0 ? lines.join('\n') : 'No rule applies to a machine now.')
  } finally {
    await closeMarkets(markets)
  }
}
