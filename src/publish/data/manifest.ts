import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../../../contract/failure.ts'
import { type DataManifest, dataManifest } from '../../../contract/open-data.ts'
import { temporary } from './write-file.ts'

export const manifestName = 'manifest.json'

/** The manifest of a folder; undefined: there is none yet. */
export async function readManifest(folder: string): Promise<DataManifest | undefined> {
  try {
    return dataManifest.parse(JSON.parse(await readFile(join(folder, manifestName), 'utf8')))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Replaces the manifest. A reader gets the old or the new one. */
export async function writeManifest(folder: string, manifest: DataManifest): Promise<void> {
  const path = join(folder, `${temporary}${manifestName}`)
  await writeFile(path, JSON.stringify(manifest, null, 1), { flush: true })
  await rename(path, join(folder, manifestName))
}
