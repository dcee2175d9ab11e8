import { runAgent } from '../../src/agent/agent.ts'
import { programPath } from '../../src/agent/rclone.ts'
import { type Config, UsageError } from '../config.ts'
import { untilStopped } from '../shutdown.ts'

export interface AgentCommandOptions {
  url: string
  machine: number[]
  root: string
  rclone: string
  bwrap: string
  allowPrivateClouds?: boolean
}

/** `rackrate agent`: the reference agent of a host. Takes copy tasks of its machines and runs rclone. */
export async function agent(
  config: Config,
  { url, machine, root, rclone, bwrap, allowPrivateClouds = false }: AgentCommandOptions,
): Promise<void> {
  if (!config.agentKey) throw new UsageError("AGENT_KEY must hold an API key of the machines' host.")
  const stopping = new AbortController()
  for (const program of [rclone, bwrap]) findProgram(program)
  const options = {
    url: url.replace(/\/+$/, ''),
    key: config.agentKey,
    machines: machine,
    root,
    rclone,
    bwrap,
    allowPrivate: allowPrivateClouds,
  }
  const running = runAgent(options, stopping.signal, (text) => console.log(text))
  console.log(`rackrate agent takes the tasks of machine ${machine.join(', ')}`)
  await untilStopped(async () => {
    stopping.abort()
    await running
  }, config.shutdownTimeoutMs)
}

function findProgram(name: string): void {
  try {
    programPath(name)
  } catch {
    throw new UsageError(
      `There is no ${name} here. The agent needs rclone, and bubblewrap (bwrap) to keep tenants' links from leading out.`,
    )
  }
}
