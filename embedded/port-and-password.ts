import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

/** What stays the same from one start to the next: the port and the password of an engine. */
export interface Remembered {
  port: number
  password: string
}

/** Reads what was remembered for `engine`, with another port if that one is taken by now; makes it up at the first start. */
export async function remember(dataDir: string, engine: string): Promise<Remembered> {
  const file = join(dataDir, `${engine}.json`)
  let known: Remembered | undefined
  try {
    known = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    known = undefined
  }
  const port = (known && (await tryPort(known.port))) ?? (await tryPort(0)) ?? 0
  const remembered = { port, password: known?.password ?? randomBytes(24).toString('base64url') }
  writeFileSync(file, JSON.stringify(remembered), { mode: 0o600 })
  return remembered
}

/** The port if it is free (any free one for 0), else undefined. */
const tryPort = (port: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : undefined))
    })
  })
