import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The text of each file of this folder by its name, such as `clickhouse/queries/history/stored`. The build puts the texts into the programs. */
export const sqlTexts: ReadonlyMap<string, string> = new Map(
  readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => [file.slice(0, -'.sql'.length), readFileSync(join(import.meta.dirname, file), 'utf8')]),
)
