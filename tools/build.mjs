// Builds what has changed since the last build: the programs (tsc) and the page (Vite), into dist/.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

process.chdir(join(import.meta.dirname, '..'))

const programFolders = JSON.parse(readFileSync('tsconfig.build.json', 'utf8')).include
const settings = ['package-lock.json', 'tsconfig.json', 'tools/build.mjs']

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** Changes with the name, size or time of any of the files. */
function stateOf(files) {
  const lines = files.sort().map((file) => {
    const { size, mtimeMs } = statSync(file)
    return `${file} ${size} ${mtimeMs}`
  })
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}

/** Runs `build` unless `stamp` says that it was run on the same state; an interrupted build leaves no stamp. */
function unlessBuilt(stamp, state, build) {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return
  rmSync(stamp, { force: true })
  build()
  mkdirSync('dist', { recursive: true })
  writeFileSync(stamp, state)
}

const run = (program, ...args) =>
  execFileSync(process.execPath, [join('node_modules', program), ...args], { stdio: 'inherit' })

const sources = programFolders.flatMap(filesIn)

function buildPrograms() {
  run('@typescript/native/bin/tsc', '-p', 'tsconfig.build.json')
  chmodSync('dist/cli/rackrate.js', 0o755)
  const built = new Set(sources.map((file) => join('dist', file.replace(/\.ts$/, '.js'))))
  const left = filesIn('dist').filter((file) => !/^dist\/(web\/|\.)/.test(file) && !built.has(file))
  for (const file of left) rmSync(file) // of sources that are gone
}

unlessBuilt('dist/.programs', stateOf([...settings, 'tsconfig.build.json', ...sources]), buildPrograms)
unlessBuilt('dist/.page', stateOf([...settings, ...filesIn('web'), ...filesIn('contract')]), () =>
  run('vite/bin/vite.js', 'build', 'web', '--logLevel', 'warn'),
)
