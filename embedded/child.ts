import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

export type Child = ChildProcessByStdio<Writable, Readable, Readable>

/** The environment of the engines. It contains no variable of this process. */
export const childEnvironment = (home: string) => ({
  PATH: process.env.PATH,
  HOME: home,
  TZ: 'UTC',
  LC_ALL: 'C',
  TERM: 'dumb',
})

/**
 * Runs a script of the build in a Node process of its own, in its own process group (Ctrl-C on the terminal must not reach an
 * engine before this process). Its stdin is a pipe: when the pipe closes, also because this process was killed, the child stops.
 */
export function spawnScript(
  script: string,
  args: string[],
  cwd: string,
  environment: Record<string, string> = {},
): Child {
  return spawn(process.execPath, [script, ...args], {
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    env: { ...childEnvironment(cwd), ...environment },
  })
}

/** Resolves when the process has exited. */
export const exitOf = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.once('exit', () => resolve())
  })

/** Closes the child's stdin, which asks it to stop. Kills it when it takes longer than `graceMs`. */
export async function stopChild(child: Child, graceMs: number): Promise<void> {
  child.stdin.on('error', () => {}).end()
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
  await exitOf(child)
  clearTimeout(timer)
}
