import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { satisfies } from 'semver'
import { expect, it } from 'vitest'

interface Locked {
  version?: string
  resolved?: string
  link?: boolean
  engines?: { node?: string }
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
const lock: { packages: Record<string, Locked> } = read('package-lock.json')
const locked = Object.entries(lock.packages)

const packed = (...args: string[]): string[] => {
  const [{ files }] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  )
  return files.map(({ path }: { path: string }) => path)
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** Programs that the sources start as processes of their own or serve: `#dist/…`. */
const programs = (): string[] =>
  ['cli', 'workers', 'src', 'embedded', 'platform']
    .flatMap(filesIn)
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/'#(dist\/[^']+)'/g)])
    .map(([, program = '']) => program)
    .concat('dist/cli/rackrate.js')

// @fastify/static 10.1.4 and light-my-request 6.8, which Fastify loads, depend on packages that need Node 22. The package itself depends
// on the versions before, so that an installation from the registry gets them as well.
it('every locked package runs on the oldest Node that is supported', () => {
  const oldest = lock.packages['']?.engines?.node?.replace('>=', '')
  expect(oldest).toBe('20.19')
  const tooNew = locked.filter(([, { engines }]) => engines?.node && !satisfies(`${oldest}.0`, engines.node))
  expect(tooNew.map(([path, { engines }]) => `${path}: ${engines?.node}`)).toEqual([])
})

it('the lock names no registry and has the optional packages of every platform', () => {
  expect(locked.filter(([, { resolved, link }]) => resolved && !link).map(([path]) => path)).toEqual([])
  const optional = locked.flatMap(([, { optionalDependencies = {} }]) => Object.keys(optionalDependencies))
  expect(optional.filter((name) => !locked.some(([path]) => path.endsWith(`node_modules/${name}`)))).toEqual(
    [],
  )
})

it('the package has what runs and nothing else', () => {
  const files = packed()
  expect(files.length).toBeLessThanOrEqual(600)
  const allowed =
    /^(LICENSE|\.env\.example|README\.md|package\.json|dist\/web\/.+|dist\/fonts\/(DejaVuSans\.ttf|LICENSE)|dist\/(cli|embedded|shared|src)\/.+\.js)$/
  expect(files.filter((file) => !allowed.test(file))).toEqual([])
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', ...programs()]))
}, 60_000)

it("the client depends on openapi-fetch alone, with the service's version and license", () => {
  const [service, client] = [read('package.json'), read('client/package.json')]
  expect(Object.keys(client.dependencies)).toEqual(['openapi-fetch'])
  expect(client.version).toBe(service.version)
  const [license, copy] = ['LICENSE', 'client/LICENSE'].map((file) => readFileSync(file, 'utf8'))
  expect(copy).toBe(license)
})
