import { runAgent } from '../agent/run.ts'
import { type Config, UsageError } from '../config.ts'
import { untilStopped } from '../shutdown.ts'

export interface AgentCommandOptions {
  url: string
  machine: number[]
  root: string
  rclone: string
}

/** `rackrate agent`: the reference agent of a host. Takes copy tasks of its machines and runs rclone. */
export async function agent(
  config: Config,
  { url, machine, root, rclone }: AgentCommandOptions,
): Promise<void> {
  if (!config.agentKey) throw new UsageError("AGENT_KEY must hold an API key of the machines' host.")
  const stopping = new AbortController()
  const options = { url: url.replace(/\/+$/, ''), key: config.agentKey, machines: machine, root, rclone }
  const running = runAgent(options, stopping.signal, (text) => console.log(text))
  console.log(`rackrate agent takes the tasks of machine ${machine.join(', ')}`)
  await untilStopped(async () => {
    stopping.abort()
    await running
  }, config.shutdownTimeoutMs)
}
