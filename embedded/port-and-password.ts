import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

/** The port and the password of an engine, which stay the same over restarts. */
export interface Remembered {
  port: number
  password: string
}

/**
 * Reads the port and password of `engine`. Chooses another port if that one is taken, and new values at the first start. Throws
 * an Error with a sentence when the file is damaged: PostgreSQL has the old password.
 */
export async function remember(dataDir: string, engine: string): Promise<Remembered> {
  const file = join(dataDir, `${engine}.json`)
  const known = existsSync(file) ? read(file) : undefined
  const port = (known && (await tryPort(known.port))) ?? (await tryPort(0)) ?? 0
  const remembered = { port, password: known?.password ?? randomBytes(24).toString('base64url') }
  writeFileSync(file, JSON.stringify(remembered), { mode: 0o600 })
  return remembered
}

function read(file: string): Remembered {
  try {
    const { port, password } = JSON.parse(readFileSync(file, 'utf8'))
    if (Number.isInteger(port) && typeof password === 'string') return { port, password }
  } catch {
    // The error below reports it.
  }
  throw new Error(
    `${file} is damaged: it must hold the port and the password of an embedded database. Put back a copy of it, or restore a backup.`,
  )
}

/** The port if it is free (any free one for 0); undefined otherwise. */
const tryPort = (port: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : undefined))
    })
  })
