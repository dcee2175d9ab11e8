import { setTimeout as pause } from 'node:timers/promises'
import { type HostApi, openHostApi } from './api.ts'
import { startRclone } from './rclone.ts'

export interface AgentOptions {
  url: string
  key: string
  machines: number[]
  /** The folder that holds a folder for each instance, named by its id. */
  root: string
  rclone: string
}

const pollMs = 1000
const reportMs = 500

/** Takes the tasks of these machines, one after the other, until `signal`; a task that has begun is brought to its end. */
export async function runAgent(
  options: AgentOptions,
  signal: AbortSignal,
  onEvent: (text: string) => void,
): Promise<void> {
  const api = openHostApi(options.url, options.key)
  while (!signal.aborted) {
    for (const machine of options.machines) {
      try {
        for (const token of await api.waiting(machine)) await perform(api, options, token, onEvent)
      } catch (error) {
        onEvent(`machine ${machine}: ${(error as Error).message}`)
      }
    }
    await pause(pollMs, undefined, { signal }).catch(() => {})
  }
}

async function perform(
  api: HostApi,
  options: AgentOptions,
  token: string,
  onEvent: (text: string) => void,
): Promise<void> {
  const fetched = await api.fetch(token)
  if (!fetched) return
  const { task, machine_id } = fetched
  onEvent(`machine ${machine_id}: ${task.transfer}, instance ${task.instance_id}`)
  let sent = 0
  let waiting = ''
  const report = async () => {
    const text = waiting.slice(0, 100_000)
    if (text === '') return
    await api.log(token, sent, text)
    sent += text.length
    waiting = waiting.slice(text.length)
  }
  let exitCode: number
  try {
    const rclone = startRclone(options.rclone, options.root, fetched)
    for (const stream of [rclone.stdout, rclone.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        waiting += text
      })
    const ended = new Promise<number>((resolve, reject) => {
      rclone.once('error', reject)
      rclone.once('close', (code) => resolve(code ?? -1))
    })
    for (let done = false; !done; ) {
      done = await Promise.race([ended.then(() => true), pause(reportMs, false)])
      await report()
    }
    exitCode = await ended
  } catch (error) {
    waiting += `${(error as Error).message}\n`
    exitCode = -1
  }
  while (waiting !== '') await report()
  await api.finish(token, exitCode)
  onEvent(`machine ${machine_id}: ended with ${exitCode}`)
}
