// Runs `postgres` and stops it when stdin ends: the parent requested it, or was killed. A server without this keeper would
// outlive a killed parent. argv: the user as JSON ({} or {uid, gid}), the program, its arguments. The keeper itself does not
// change its user, since that user may be unable to read the keeper's script.
import { spawn } from 'node:child_process'

const [identity = '{}', binary = '', ...args] = process.argv.slice(2)
const postgres = spawn(binary, args, { ...JSON.parse(identity), stdio: ['ignore', 'inherit', 'inherit'] })

let stopping = false
const stop = () => {
  if (stopping) return
  stopping = true
  postgres.kill('SIGINT') // fast shutdown: open transactions are rolled back
  setTimeout(() => postgres.kill('SIGQUIT'), 8000).unref()
}
process.stdin.on('end', stop).on('error', stop).resume()
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)

postgres.once('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
postgres.once('error', (error) => {
  console.error(error.message)
  process.exit(127)
})
