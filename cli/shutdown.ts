import { pino } from 'pino'
import type { Config } from './config.ts'

/**
 * Prints the line of a started process once signals are awaited: a reader of it may stop the process at once. Resolves when `close` has
 * finished after the first Ctrl-C or SIGTERM. A second signal ends the process at once, and so does the deadline, also when
 * something that `close` left open keeps the process alive.
 */
export async function untilStopped(
  line: string,
  close: () => Promise<void>,
  { shutdownTimeoutMs, logLevel }: Pick<Config, 'shutdownTimeoutMs' | 'logLevel'>,
): Promise<void> {
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, resolve)
    console.log(line)
  })
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130))
  // A person reads sentences; a collector of logs reads the lines of the log.
  const log = process.stderr.isTTY
    ? { info: console.error, error: console.error }
    : pino({ level: logLevel }, pino.destination(2))
  log.info(`${signal}: stopping`)
  const deadline = setTimeout(() => {
    log.error(
      'The process did not stop in time and exits now. Unfinished work is repeated after the next start.',
    )
    process.exit(1)
  }, shutdownTimeoutMs)
  // A client that is still open keeps the process alive, so the deadline stays in force without keeping it alive itself.
  await close().finally(() => deadline.unref())
}
