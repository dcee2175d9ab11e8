// Lists the packages of package.json that are behind the registry, and for each whether it can be updated or what prevents it.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { minVersion, satisfies } from 'semver'

process.chdir(join(import.meta.dirname, '..'))
const { engines } = JSON.parse(readFileSync('package.json', 'utf8'))
const oldest = minVersion(engines.node)

/** Standard output of npm, which exits with 1 when a package is behind. */
function npm(...args) {
  const { stdout, stderr } = spawnSync('npm', [...args, '--json'], { encoding: 'utf8', timeout: 300_000 })
  try {
    return JSON.parse(stdout)
  } catch {
    throw new Error(`npm ${args.join(' ')}: ${stdout}${stderr}`)
  }
}

/** The reason why a version cannot be used: the package or a dependency does not run on the oldest supported Node. */
function obstacle(name, version) {
  const view = (spec) => [npm('view', spec, 'name', 'version', 'engines', 'dependencies')].flat().at(-1) ?? {}
  const own = view(`${name}@${version}`)
  const needed = Object.entries(own.dependencies ?? {}).map(([other, range]) => `${other}@${range}`)
  for (const spec of [undefined, ...needed]) {
    const { name, version, engines } = spec ? view(spec) : own
    if (engines?.node && !satisfies(oldest, engines.node))
      return `${name} ${version} needs Node ${engines.node}`
  }
  return ''
}

const behind = Object.entries(npm('outdated')).filter(([, { current }]) => current)
const rows = behind.map(([name, { current, wanted, latest }]) => {
  const reason = name === '@types/node' ? 'follows the oldest Node' : obstacle(name, latest)
  return { package: name, current, 'npm update': wanted, latest, 'kept back': reason }
})
console.table(rows)
console.log(
  `The oldest supported Node is ${oldest}. After a change: npm install && node tools/complete-lock.mjs`,
)
