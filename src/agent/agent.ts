import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { FetchedTask } from '../../contract/copytool.ts'
import { toError } from '../../contract/failure.ts'
import { storable } from '../../platform/text.ts'
import { type AgentApi, openHostApi } from './api.ts'
import { openProxy } from './proxy.ts'
import { type Programs, startRclone } from './rclone.ts'

export interface AgentOptions extends Programs {
  url: string
  key: string
  machines: number[]
  /** The folder that contains a folder per instance, named by the instance's id. */
  root: string
  /** True if a cloud may be in the host's own network. */
  allowPrivate: boolean
}

const pollMs = 1000
const reportMs = 500
const mostAtOnce = 100_000

/** Performs the tasks of the machines, one after the other, until `signal`. A task that has started is finished. */
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
        onEvent(`machine ${machine}: ${toError(error).message}`)
      }
    }
    await pause(pollMs, undefined, { signal }).catch(() => {})
  }
}

async function perform(
  api: AgentApi,
  options: AgentOptions,
  token: string,
  onEvent: (text: string) => void,
): Promise<void> {
  const fetched = await api.fetch(token)
  if (!fetched) return
  const { task, machine_id } = fetched
  onEvent(`machine ${machine_id}: ${task.transfer}, instance ${task.instance_id}`)
  const report = openReport(api, token)
  let exitCode: number
  try {
    exitCode = await copy(options, fetched, report)
  } catch (error) {
    report.add(`${toError(error).message}\n`)
    exitCode = -1
  }
  await report.sendAll()
  await api.finish(token, exitCode)
  onEvent(`machine ${machine_id}: ended with ${exitCode}`)
}

/** Runs rclone to its end, even when reports fail meanwhile. */
async function copy(options: AgentOptions, fetched: FetchedTask, report: Report): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'rackrate-proxy-'))
  const socket = join(folder, 'sock')
  const proxy = await openProxy(socket, options.allowPrivate)
  try {
    const rclone = startRclone(options, options.root, socket, fetched)
    for (const stream of [rclone.stdout, rclone.stderr]) stream?.setEncoding('utf8').on('data', report.add)
    const ended = new Promise<number>((resolve, reject) => {
      rclone.once('error', reject)
      rclone.once('close', (code) => resolve(code ?? -1))
    })
    for (let done = false; !done; ) {
      done = await Promise.race([ended.then(() => true), pause(reportMs, false)])
      await report.send().catch(() => {})
    }
    return await ended
  } finally {
    proxy.close()
    rmSync(folder, { recursive: true })
  }
}

type Report = ReturnType<typeof openReport>

/**
 * Sends the output of rclone to the task's log. The service returns the number of received characters, so that none are lost or
 * repeated.
 */
function openReport(api: AgentApi, token: string) {
  let said = ''
  let received = 0
  const send = async () => {
    const end = received + mostAtOnce
    // Do not cut a surrogate pair.
    const text = said.slice(received, /[\ud800-\udbff]/.test(said[end - 1] ?? '') ? end - 1 : end)
    if (text !== '') received = await api.log(token, received, text)
  }
  return {
    add: (text: string) => {
      said += storable(text)
    },
    send,
    async sendAll() {
      while (received < said.length) await send()
    },
  }
}
