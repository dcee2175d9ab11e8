// Builds the programs and the page into dist/, with Rolldown and Vite, and the clients into client/. Unchanged parts are not rebuilt.
// Types are checked by `npm run check`. `node tools/build.mjs programs page` builds these parts only.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join, resolve } from 'node:path'

process.chdir(join(import.meta.dirname, '..'))

const folders =
  'cli workers src collect import simulate ingest platform estimates contract embedded bench'.split(' ')
const settings = ['package-lock.json', 'tsconfig.json', 'tools/build.mjs']

/** Programs. Each starts a process, or is loaded by a tool or a test: dist/NAME.js. All share the modules in dist/shared/. */
const programs = [
  'cli/rackrate',
  'embedded/clickhouse-child',
  'embedded/disk-watch',
  'embedded/engines',
  'embedded/memory-watch',
  'embedded/postgres-keeper',
  'src/agent/inside-sandbox',
  'src/hosts/machines/pooled/plan-thread',
  'src/publish/shares/picture/painter-thread',
  'src/openapi-document',
  'bench/bench',
  'bench/constant',
  'bench/unwanted',
]

/** Replaces the module that reads sql/ by its texts, so that the package contains no SQL files. */
const withSql = {
  name: 'sql',
  load(id) {
    if (id !== resolve('sql/texts.ts')) return undefined
    const files = filesIn('sql').filter((file) => file.endsWith('.sql'))
    const texts = files.map((file) => [file.slice('sql/'.length, -'.sql'.length), readFileSync(file, 'utf8')])
    return `export const sqlTexts = new Map(${JSON.stringify(texts.sort())})`
  },
}

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** A hash that changes with the name, size or time of any of the files. */
function stateOf(files) {
  const lines = files.sort().map((file) => {
    const { size, mtimeMs } = statSync(file)
    return `${file} ${size} ${mtimeMs}`
  })
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}

/** Runs `build` unless `stamp` records a build of the same files. An interrupted build leaves no stamp. */
async function unlessBuilt(stamp, files, build) {
  const state = stateOf([...settings, ...files])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return
  rmSync(stamp, { force: true })
  await build()
  writeFileSync(stamp, state)
}

async function buildPrograms() {
  const { build } = await import('rolldown')
  const { output } = await build({
    input: Object.fromEntries(programs.map((name) => [name, `${name}.ts`])),
    external: /^[^./]/, // packages
    plugins: [withSql],
    platform: 'node',
    output: {
      dir: 'dist',
      chunkFileNames: 'shared/[name].js',
      minifyInternalExports: false,
      // Small modules that nearly all programs share make one file instead of four.
      codeSplitting: {
        groups: [{ name: 'contract', test: /\/contract\/(durations|market-filter|money|records)\.ts$/ }],
      },
    },
  })
  chmodSync('dist/cli/rackrate.js', 0o755)
  const built = new Set(output.map(({ fileName }) => join('dist', fileName)))
  const before = filesIn('dist').filter((file) => !/^dist\/(web\/|fonts\/|\.)/.test(file) && !built.has(file))
  for (const file of before) rmSync(file)
}

async function buildPage() {
  const { build } = await import('vite')
  // Hides the time that each plugin takes. People who start the service do not need it.
  const quiet = { rolldownOptions: { checks: { pluginTimings: false, bundlerTimings: false } } }
  await build({ root: 'web', configFile: 'web/vite.config.ts', logLevel: 'warn', build: quiet })
}

const buildClients = () => execFileSync('node', ['tools/generate-clients.mjs'], { stdio: 'inherit' })

const programFiles = [...folders, 'sql'].flatMap(filesIn)
const builds = {
  programs: () => unlessBuilt('dist/.programs', programFiles, buildPrograms),
  page: () => unlessBuilt('dist/.page', ['web', 'contract', 'estimates'].flatMap(filesIn), buildPage),
  clients: () => {
    // A switch from a commit that had it in git removes it.
    if (!existsSync('client/schema.ts')) rmSync('dist/.clients', { force: true })
    return unlessBuilt('dist/.clients', [...programFiles, 'tools/generate-clients.mjs'], buildClients)
  },
}

mkdirSync('dist/fonts', { recursive: true })
for (const file of ['ttf/DejaVuSans.ttf', 'LICENSE'])
  copyFileSync(join('node_modules/dejavu-fonts-ttf', file), join('dist/fonts', basename(file)))
const parts = process.argv.slice(2)
for (const part of parts.length > 0 ? parts : Object.keys(builds)) await builds[part]()
