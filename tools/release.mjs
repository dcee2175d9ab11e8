// Makes a release: `npm run release -- 1.2.3`. Sets the version everywhere, dates the changelog, builds, packs, commits and tags. Publishes
// nothing: it prints the commands for that. With --dry-run it works in a temporary clone of the last commit.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

class Refusal extends Error {}

const run = (program, args) => execFileSync(program, args, { encoding: 'utf8' }).trim()
const git = (...args) => run('git', args)
const edit = (file, change) => writeFileSync(file, change(readFileSync(file, 'utf8')))
const editJson = (file, change) =>
  edit(file, (text) => {
    const content = JSON.parse(text)
    change(content)
    return `${JSON.stringify(content, null, 2)}\n`
  })

const number = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/

function isNewer(version, current) {
  const numbers = (text) => number.exec(text).slice(1).map(Number)
  const [before, after] = [numbers(current), numbers(version)]
  const first = after.findIndex((part, index) => part !== before[index])
  return first !== -1 && after[first] > before[first]
}

/** The changelog's text about the next release. */
const unreleased = () =>
  /^## \[Unreleased\]\n(.*?)(?=^## |$(?![\s\S]))/ms.exec(readFileSync('CHANGELOG.md', 'utf8'))?.[1].trim()

function checkReady(version, current) {
  if (!number.test(version ?? '')) throw new Refusal('Name the version: npm run release -- 1.2.3 [--dry-run]')
  if (!isNewer(version, current)) throw new Refusal(`${version} is not newer than ${current}.`)
  if (git('branch', '--show-current') !== 'main') throw new Refusal('Releases are made on the branch main.')
  if (git('status', '--porcelain')) throw new Refusal('There are uncommitted changes.')
  if (git('tag', '--list', `v${version}`)) throw new Refusal(`The tag v${version} exists.`)
  if (!unreleased()) throw new Refusal('CHANGELOG.md has nothing under "Unreleased".')
}

function setVersion(version, current) {
  for (const file of ['package.json', 'client/package.json'])
    editJson(file, (content) => {
      content.version = version
    })
  editJson('package-lock.json', (lock) => {
    for (const content of [lock, lock.packages[''], lock.packages.client]) content.version = version
  })
  for (const file of ['docker-compose.yml', 'deploy/kubernetes/rackrate.yaml'])
    edit(file, (text) => text.replaceAll(`image: rackrate:${current}`, `image: rackrate:${version}`))
  const today = new Date().toISOString().slice(0, 10)
  edit('CHANGELOG.md', (text) =>
    text.replace('## [Unreleased]', `## [Unreleased]\n\n## [${version}] - ${today}`),
  )
}

function release(version, packages) {
  const { version: current } = JSON.parse(readFileSync('package.json', 'utf8'))
  checkReady(version, current)
  try {
    setVersion(version, current)
    // `npm pack` builds, and prints the name of the archive as the last line.
    const archives = [[], ['--workspace=client']].map((which) =>
      join(
        packages,
        run('npm', ['pack', '--silent', `--pack-destination=${packages}`, ...which])
          .split('\n')
          .at(-1),
      ),
    )
    git('commit', '--quiet', '--all', `--message=release: ${version}`)
    git('tag', '--annotate', `v${version}`, `--message=rackrate ${version}`)
    return archives
  } catch (error) {
    git('reset', '--quiet', '--hard') // to the clean tree that was checked above
    throw error
  }
}

/** Changes to a temporary clone of the last commit, on main, with the packages installed here. */
function enterClone() {
  const folder = mkdtempSync(join(tmpdir(), 'rackrate-release-'))
  git('clone', '--quiet', '.', folder)
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  process.chdir(folder)
  git('switch', '--quiet', '--force-create', 'main')
  git('config', 'user.name', 'rackrate')
  git('config', 'user.email', 'rackrate@localhost')
  return folder
}

process.chdir(join(import.meta.dirname, '..'))
let clone
try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean' } },
  })
  if (values['dry-run']) clone = enterClone()
  const archives = release(positionals[0], process.cwd())
  console.log(git('show', '--stat', '--format=%s (%D)'))
  console.log(`\nPublish with:\n  git push --follow-tags`)
  for (const archive of archives) console.log(`  npm publish ${archive}`)
  if (clone) console.log('\nThis was a dry run: nothing has changed.')
} catch (error) {
  if (!(error instanceof Refusal || error.code?.startsWith('ERR_PARSE_ARGS'))) throw error
  console.error(error.message)
  process.exitCode = 2
} finally {
  if (clone) rmSync(clone, { recursive: true })
}
