import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../cli/config.ts'
import { needs } from '../needs.ts'

const pathOf = (name: string) => fileURLToPath(new URL(`../../deploy/systemd/${name}`, import.meta.url))
const units = ['rackrate-serve.service', 'rackrate-worker.service']

const entriesOf = (unit: string): Map<string, string> =>
  new Map(
    readFileSync(pathOf(unit), 'utf8')
      .split('\n')
      .filter((line) => /^\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

const settings = parseEnv(
  readFileSync(pathOf('env.example'), 'utf8').replace(
    'ENCRYPTION_KEY=KEY',
    `ENCRYPTION_KEY=${'0'.repeat(64)}`,
  ),
)
const config = readConfig(settings)

describe.each(units)('the unit %s', (unit) => {
  const entries = entriesOf(unit)

  it('runs its process confined, as an ordinary user, and starts it again', () => {
    expect(Object.fromEntries(entries)).toMatchObject({
      User: 'rackrate',
      ExecStart: `/usr/bin/env rackrate ${/-(\w+)\./.exec(unit)?.[1]}`,
      Restart: 'always',
      NoNewPrivileges: 'yes',
      CapabilityBoundingSet: '',
      ProtectSystem: 'strict',
      ProtectHome: 'yes',
      PrivateTmp: 'yes',
      UMask: '0077',
    })
    // V8 compiles at run time.
    expect(entries.has('MemoryDenyWriteExecute')).toBe(false)
  })

  it('waits longer for the end than the process takes', () => {
    expect(Number(entries.get('TimeoutStopSec')) * 1000).toBeGreaterThan(config.shutdownTimeoutMs)
  })

  it('lets the process write to the folder of the settings', () => {
    expect(settings.RACKRATE_DATA_DIR).toBe(`/var/lib/${entries.get('StateDirectory')}`)
  })
})

const hasSystemd = needs(
  spawnSync('systemd-analyze', ['--version']).status === 0,
  'systemd-analyze is not installed, so the units of deploy/systemd are not verified by it',
)

it.runIf(hasSystemd)('systemd reads the units without a complaint', () => {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', ...units.map(pathOf)], {
    encoding: 'utf8',
  })
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
})
