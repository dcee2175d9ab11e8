import type { Command } from 'commander'
import { UsageError } from '../../platform/usage-error.ts'
import { withConfig } from '../command.ts'
import { ids } from '../option-values.ts'

interface AgentCommandOptions {
  url: string
  machine: number[]
  root: string
  rclone: string
  bwrap: string
  allowPrivateClouds?: boolean
}

export const agent = (program: Command) =>
  program
    .command('agent')
    .description(
      'run the reference agent of a host: fetch the copy tasks of its machines and run them with rclone (AGENT_KEY: API key of the host)',
    )
    .requiredOption('--machine <ids...>', 'ids of machines of the host', ids)
    .requiredOption('--root <folder>', 'folder with a subfolder for each instance, named by instance id')
    .option('--url <url>', 'base URL of the API', 'http://127.0.0.1:8080')
    .option('--rclone <program>', 'rclone program', 'rclone')
    .option('--bwrap <program>', 'bubblewrap program', 'bwrap')
    .option('--allow-private-clouds', "allow tenants' cloud storage in private networks")
    .action(
      withConfig<AgentCommandOptions>(async ({ config, options }) => {
        const { untilStopped } = await import('../shutdown.ts')
        const { runAgent } = await import('../../src/agent/agent.ts')
        const { url, machine, root, rclone, bwrap, allowPrivateClouds = false } = options
        if (!config.agentKey) throw new UsageError('AGENT_KEY must be an API key of the host.')
        for (const program of [rclone, bwrap]) await checkProgram(program)
        const agentOptions = {
          url: url.replace(/\/+$/, ''),
          key: config.agentKey,
          machines: machine,
          root,
          rclone,
          bwrap,
          allowPrivate: allowPrivateClouds,
        }
        const stopping = new AbortController()
        const running = runAgent(agentOptions, stopping.signal, (text) => console.log(text))
        const line = `rackrate agent takes the tasks of machine ${machine.join(', ')}`
        await untilStopped(
          line,
          async () => {
            stopping.abort()
            await running
          },
          config,
        )
      }),
    )

async function checkProgram(name: string): Promise<void> {
  const { programPath } = await import('../../src/agent/rclone.ts')
  try {
    programPath(name)
  } catch {
    throw new UsageError(
      `The program ${name} was not found. The agent needs rclone and bubblewrap (bwrap), which confines rclone to the folder of the instance.`,
    )
  }
}
