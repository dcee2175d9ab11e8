import { lstatSync, realpathSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'

/**
 * Where a path of an instance is on the host: below `root`/`instance`, whatever links its tenant has laid. Throws when it leads out.
 */
export function pathInInstance(root: string, instanceId: number, path: string): string {
  const home = realpathSync(join(root, String(instanceId)))
  const wanted = resolve(home, `.${sep}${path}`)
  const real = realOf(wanted)
  if (real !== home && !real?.startsWith(home + sep)) throw new Error(`${path} leads out of the instance`)
  return real
}

/** With the links of that part of it which exists followed; undefined for a link to what doesn't exist, which may be made yet. */
function realOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch (error) {
    const parent = dirname(path)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error
    if (lstatSync(path, { throwIfNoEntry: false })) return undefined
    const real = realOf(parent)
    return real && join(real, path.slice(parent.length))
  }
}
