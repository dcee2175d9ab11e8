import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startEngines } from '../../embedded/engines.ts'
import { needs } from '../needs.ts'

const isRoot = needs(
  process.getuid?.() === 0,
  'the tests of a start by root do not run: only root may give files to other users',
)

const stranger = 65_534 // the user "nobody"
const postgresOnly = { postgres: true, clickhouse: false }
const made: string[] = []
let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'rackrate-own-'))
  made.push(dir)
})
afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true })
})

describe('a data directory that other users can change is refused', () => {
  it.each([0o720, 0o702, 0o1777])('mode %o', async (mode) => {
    const data = join(dir, 'data')
    mkdirSync(data)
    chmodSync(data, mode)
    await expect(startEngines(data, postgresOnly)).rejects.toThrow(/can be changed by other users/)
    expect(existsSync(join(data, 'lock'))).toBe(false)
    expect(statSync(data).mode & 0o7777).toBe(mode)
  })

  it.skipIf(!isRoot)('one of another user, or behind a link of another user', async () => {
    const data = join(dir, 'data')
    mkdirSync(data)
    chownSync(data, stranger, stranger)
    await expect(startEngines(data, postgresOnly)).rejects.toThrow(/belongs to another user \(uid 65534/)
    execFileSync('ln', ['-s', '/root', join(dir, 'link')])
    execFileSync('chown', ['-h', 'nobody', join(dir, 'link')])
    await expect(startEngines(join(dir, 'link'), postgresOnly)).rejects.toThrow(/belongs to another user/)
    expect(existsSync('/root/lock')).toBe(false)
  })
})

describe.skipIf(!isRoot)('started by root', () => {
  const nameOf = (path: string) => createHash('sha256').update(path).digest('hex').slice(0, 16)
  const placeOf = (path: string) => join('/var/lib/rackrate', nameOf(path))

  it('a data directory with content keeps its mode, and PostgreSQL stands in a directory of root', async () => {
    writeFileSync(join(dir, 'mine'), '')
    made.push(placeOf(dir))
    const engines = await startEngines(dir, postgresOnly)
    await engines.stop()
    expect(statSync(dir).mode & 0o777).toBe(0o700)
    for (const path of ['/var/lib/rackrate', placeOf(dir)])
      expect([statSync(path).uid, statSync(path).mode & 0o022], path).toEqual([0, 0])
  })

  it('files of another user in the way of the first start are neither used nor overwritten', async () => {
    writeFileSync(join(dir, 'mine'), 'as it was')
    const former = join('/var/tmp', `rackrate-${nameOf(dir)}`)
    made.push(former, placeOf(dir))
    const own = `mkdir -p native/bin && printf '#!/bin/sh\\ntouch ran\\n' > native/bin/initdb && chmod 755 native/bin/initdb && ln -s ${join(dir, 'mine')} postgres.password`
    execFileSync('setpriv', [
      '--reuid=65534',
      '--clear-groups',
      'sh',
      '-c',
      `mkdir ${former} && cd ${former} && ${own}`,
    ])
    const engines = await startEngines(dir, postgresOnly)
    await engines.stop()
    expect(readFileSync(join(dir, 'mine'), 'utf8')).toBe('as it was')
    expect(existsSync(join(former, 'ran'))).toBe(false)

    rmSync(placeOf(dir), { recursive: true })
    mkdirSync(placeOf(dir))
    chownSync(placeOf(dir), stranger, stranger)
    await expect(startEngines(dir, postgresOnly)).rejects.toThrow(/belongs to another user/)
  })

  it('a link in the place of the password file is replaced, not followed', async () => {
    const data = join(dir, 'data')
    chmodSync(dir, 0o711)
    mkdirSync(data, { mode: 0o711 })
    writeFileSync(join(dir, 'mine'), 'as it was')
    symlinkSync(join(dir, 'mine'), join(data, 'postgres.password'))
    const engines = await startEngines(data, postgresOnly)
    await engines.stop()
    expect(readFileSync(join(dir, 'mine'), 'utf8')).toBe('as it was')
    expect(statSync(join(dir, 'mine')).uid).toBe(0)
  })
})
