import { writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type Child, exitOf } from './child.ts'

// Milliseconds before an engine is started again. The time doubles after each failed start.
const [shortest, longest] = [100, 2000]

export type EngineLog = (text: string) => void

export interface Supervised<Server> {
  server: Server
  /** Ends the engine permanently. */
  stop(): Promise<void>
}

/** Starts an engine, and restarts it at the same address whenever it ends by itself. The first start may throw. */
export async function supervise<Server>(
  server: Server,
  start: () => Promise<Child>,
  stop: (child: Child) => Promise<void>,
  { log, pidFile }: { log: EngineLog; pidFile: string },
): Promise<Supervised<Server>> {
  let stopping = false
  let child = await start()
  const notePid = () => writeFileSync(pidFile, `${child.pid}\n`, { mode: 0o600 })
  notePid()

  const watch = async () => {
    for (let delay = shortest; ; ) {
      await exitOf(child)
      if (stopping) return
      log(`the engine ended by itself, starting it again in ${delay} ms\n`)
      await pause(delay)
      if (stopping) return
      try {
        child = await start()
        notePid()
        delay = shortest
        if (stopping) await stop(child)
      } catch (error) {
        delay = Math.min(delay * 2, longest)
        log(`${error instanceof Error ? error.message : error}\n`)
      }
    }
  }
  const watching = watch()

  return {
    server,
    async stop() {
      stopping = true
      await stop(child)
      await watching
    },
  }
}
