import { setTimeout as pause } from 'node:timers/promises'
import type { z } from 'zod'
import { fetchedTask, loggedTask, waitingTasks } from '../../contract/copytool.ts'

export interface AgentApi {
  waiting(machineId: number): Promise<string[]>
  /** The task of a token; undefined when it was fetched before or has expired. */
  fetch(token: string): Promise<z.infer<typeof fetchedTask> | undefined>
  /** Returns the number of characters that the service has received. */
  log(token: string, offset: number, text: string): Promise<number>
  finish(token: string, exitCode: number): Promise<void>
}

const timeoutMs = 30_000
const attempts = 40 // about six minutes, with up to 10 s between two

/** The host's part of the API at `url`. `key` is a key of the machines' host. Logs and exit codes are sent again while the service cannot be reached. */
export function openHostApi(url: string, key: string): AgentApi {
  const call = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const response = await fetch(`${url}/api/v0/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const answer: unknown = await response.json()
    return { status: response.status, answer }
  }
  const insist = async (path: string, body: object): Promise<unknown> => {
    for (let attempt = 1; ; attempt += 1) {
      const result = await call('POST', path, body).catch((error: Error) => error)
      if (!(result instanceof Error) && result.status === 200) return result.answer
      const isAway = result instanceof Error || result.status === 429 || result.status >= 500
      if (!isAway || attempt === attempts)
        throw result instanceof Error ? result : new Error(`the service answers ${result.status}`)
      await pause(Math.min(100 * 2 ** attempt, 10_000))
    }
  }
  return {
    async waiting(machineId) {
      const { status, answer } = await call('GET', `machines/${machineId}/tasks`)
      if (status !== 200) throw new Error(`machine ${machineId}: the service answers ${status}`)
      return waitingTasks.parse(answer).tasks.map(({ token }) => token)
    },
    async fetch(token) {
      const { status, answer } = await call('POST', `host_tasks/${token}/fetch`)
      return status === 200 ? fetchedTask.parse(answer) : undefined
    },
    log: async (token, offset, text) =>
      loggedTask.parse(await insist(`host_tasks/${token}/log`, { offset, text })).received,
    async finish(token, exitCode) {
      await insist(`host_tasks/${token}/finish`, { exit_code: exitCode })
    },
  }
}
