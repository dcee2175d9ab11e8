import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { storable } from '../../platform/text.ts'
import { type Adapter, NotKnown, NotSet } from './adapter.ts'

const run = promisify(execFile)
const usualTimeoutMs = 30_000

/** The error that execFile throws. */
interface Failure {
  /** The exit code, or the name of an error; null or absent: a signal ended the program. */
  code?: number | string | null
  killed?: boolean
  signal?: string | null
  stderr?: string
  message: string
}

/** A program of the operator. It runs without a shell. Its arguments are the configured ones with the values filled in. */
export const command = (
  [program = '', ...args]: readonly string[],
  { timeoutMs = usualTimeoutMs }: { timeoutMs?: number } = {},
): Adapter => ({
  async set({ id, machine_id, new_price, old_price, source }) {
    const values = { id, machine: machine_id, price: new_price, old: old_price, source: source ?? '' }
    const filled = args.map((arg) =>
      arg.replace(/\{(id|machine|price|old|source)\}/g, (_, name: keyof typeof values) => `${values[name]}`),
    )
    const options = { timeout: timeoutMs, killSignal: 'SIGKILL' as const, maxBuffer: 1_048_576 }
    const { stdout } = await run(program, filled, options).catch((error: Failure) => {
      throw reasonOf(error, timeoutMs)
    })
    return storable(stdout).slice(0, 500)
  },
  read: async () => undefined,
  repeats: false,
})

function reasonOf({ code, killed, signal, stderr = '', message }: Failure, timeoutMs: number): Error {
  const said = storable(stderr).trim().slice(0, 500)
  const words = said === '' ? '' : `: ${said}`
  if (typeof code === 'number') return new NotSet(`The command failed with exit code ${code}${words}`)
  if (code === 'ENOENT' || code === 'EACCES') return new NotSet(`The command could not be started (${code})`)
  const ended =
    code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'
      ? 'The command printed more than 1 MB, and was ended'
      : killed
        ? `The command did not end within ${timeoutMs / 1000} s`
        : signal
          ? `The command was ended by ${signal}`
          : message
  return new NotKnown(`${ended}${words}. The price may or may not have changed. Check the machine`)
}
