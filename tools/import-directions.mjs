// Fails when a folder imports one that it must not know (docs/architecture.md). No arguments.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** What each folder may import besides itself; the longest matching folder counts. */
const allowed = {
  'src/platform': [],
  'src/metrics': ['src/platform'],
  'src/companion': ['src/platform'],
  src: ['src/platform', 'src/metrics', 'src/companion', 'ingest', 'workers', 'embedded'],
  ingest: ['src/platform'],
  workers: ['ingest', 'src/companion', 'src/platform'],
  web: ['src/metrics', 'src/companion', 'src/platform'], // types of the contract only
  client: [],
  embedded: [],
  bench: ['src', 'src/platform', 'ingest', 'workers', 'embedded'],
  test: [
    'web',
    'client',
    'src',
    'src/platform',
    'src/metrics',
    'src/companion',
    'ingest',
    'workers',
    'embedded',
  ],
}
const folders = Object.keys(allowed).sort((a, b) => b.length - a.length)
const folderOf = (path) => folders.find((folder) => path.startsWith(`${folder}/`)) ?? '?'

const imports = /((?:import|export)\s(?:[^'`]|'[^.])*?from|import\s*\()\s*'(\.[^']+)'/g

const wrong = []
for (const root of new Set(folders.map((folder) => folder.split('/')[0]))) {
  for (const entry of readdirSync(root, { recursive: true })) {
    if (!/\.tsx?$/.test(entry)) continue
    const file = join(root, entry)
    const from = folderOf(file)
    for (const [, what, target] of readFileSync(file, 'utf8').matchAll(imports)) {
      const to = folderOf(normalize(join(dirname(file), target)))
      if (from === 'web' && to !== 'web' && !what.includes('import type'))
        wrong.push(`${file} imports more than types of ${target}: the page has nothing of the server in it`)
      if (to !== from && !allowed[from].includes(to))
        wrong.push(`${file} imports ${target}: ${from} must not know ${to}`)
    }
  }
}
if (wrong.length > 0) {
  console.error(wrong.join('\n'))
  process.exit(1)
}
