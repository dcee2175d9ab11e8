import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { listFormat, readListing } from './listing.ts'
import { markOf } from './place.ts'
import { bounded } from './request.ts'
import type { Source } from './source.ts'
import { SourceError } from './source-error.ts'

/** Environment variables that a command receives. Settings of the service, which contain secrets, are left out. */
const passedOn = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'SSL_CERT_FILE', 'SSL_CERT_DIR']
const longestReason = 200

/** A shell command that prints the market. Its output is read as a file is. The command and its children end with the request. */
export function command(text: string, map: string | undefined): Source {
  const format = listFormat(map)
  const [program = ''] = text.trim().split(/\s/)
  const environment = passedOn.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  return {
    name: `command=${program}${markOf(text.trim())}`,
    hasRentals: format(1).hasRentals,
    async fetchMarket({ slot, signal }) {
      const mark = randomUUID()
      const env = { ...Object.fromEntries(environment), SLOT: `${slot}`, RACKRATE_REQUEST: mark }
      // A process group of its own, so that the command's children can be ended with it.
      const child = spawn('/bin/sh', ['-c', text], { detached: true, env, stdio: ['ignore', 'pipe', 'pipe'] })
      const end = () => {
        try {
          if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
        } catch {
          // The process has ended.
        }
        endMarked(mark)
        for (const pipe of [child.stdout, child.stderr]) pipe.destroy() // another process may hold them open
      }
      const ended = new Promise<string | undefined>((resolve) => {
        let errors = ''
        child.stderr.setEncoding('utf8').on('data', (more: string) => {
          errors = (errors + more).slice(-longestReason)
        })
        child.on('error', ({ message }) => resolve(`could not be started: ${message}`))
        child.on('close', (code, by) =>
          resolve(code === 0 ? undefined : `ended with ${by ?? `exit code ${code}`}: ${errors.trim()}`),
        )
      })
      signal.addEventListener('abort', end)
      try {
        const market = await readListing(bounded(child.stdout), format(slot))
        const problem = await ended
        signal.throwIfAborted()
        if (problem) throw new SourceError(`The command ${problem}`)
        return { unchanged: false, market, validators: {} }
      } catch (error) {
        signal.throwIfAborted() // The output was ended by this process. That is no error of the command.
        throw error
      } finally {
        end()
        signal.removeEventListener('abort', end)
      }
    },
  }
}

/**
 * Ends processes that have left the process group of the command. On Linux these are the processes whose environment has the mark
 * of the request. Jenkins finds the children of a build in the same way.
 */
function endMarked(mark: string): void {
  if (process.platform !== 'linux') return
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      if (readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark)) process.kill(Number(pid), 'SIGKILL')
    } catch {
      // The process has ended, or belongs to another user.
    }
}
