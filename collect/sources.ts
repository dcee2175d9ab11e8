import { sourceName } from '../contract/sources.ts'
import { type Postgres, type Session, transaction } from '../platform/stores/postgres.ts'
import { UsageError } from '../platform/usage-error.ts'

/** A source as it is written in a setting: its name, and `kind=place`. */
export interface WrittenSource {
  name: string
  text: string
}

/** A source of the site. Every market except the first has databases of its own. */
export interface SiteSourceName {
  name: string
  is_first: boolean
  /** False: it is no longer collected, and its history stays. */
  is_collected: boolean
}

const mostSources = 6

/** Reads sources written as `kind=place` or `name:kind=place`. Without a name, the kind is the name. Throws UsageError. */
export function readSources(texts: readonly string[]): WrittenSource[] {
  if (texts.length > mostSources)
    throw new UsageError(`A site can have at most ${mostSources} sources, but ${texts.length} are given.`)
  const sources = texts.map((given) => {
    const [, name, text = given] = /^\s*([^:=]+):(\w+=.+)$/s.exec(given) ?? []
    return { name: name?.trim() ?? /^\s*(\w+)=/.exec(given)?.[1] ?? '', text }
  })
  for (const [index, { name, text }] of sources.entries()) {
    if (!text.includes('=')) continue // Opening the source reports the expected form.
    if (!sourceName.test(name))
      throw new UsageError(
        `The name of a source must be at most 32 lowercase letters, digits and _, and begin with a letter: ${name.slice(0, 100)}`,
      )
    if (sources.findIndex((other) => other.name === name) < index)
      throw new UsageError(
        `Two sources are named ${name}. Give one of them another name: --source name:kind=place`,
      )
  }
  return sources
}

/** The sources of the site, the first market's source first. */
export async function listSources(postgres: Session): Promise<SiteSourceName[]> {
  const query = 'SELECT name, is_first, is_collected FROM sources ORDER BY NOT is_first, name'
  return (await postgres.query<SiteSourceName>(query)).rows
}

/** True if the market of the source is in the site's own databases. Works also before their schema is up to date. */
export async function isFirstSource(postgres: Session, name: string): Promise<boolean> {
  const { rowCount } = await postgres.query(`SELECT WHERE to_regclass('sources') IS NOT NULL`)
  return rowCount === 1 && (await listSources(postgres)).some((one) => one.is_first && one.name === name)
}

/**
 * Sets the sources that the site collects. The first source's market is in the site's own databases, so it may be renamed. Throws
 * UsageError when the new name belongs to a source with databases of its own.
 */
export const registerSources = (postgres: Postgres, [first, ...others]: readonly string[]): Promise<void> =>
  transaction(postgres, async (client) => {
    await client.query('LOCK TABLE sources IN SHARE ROW EXCLUSIVE MODE')
    const isTaken = 'SELECT FROM sources WHERE name = $1 AND NOT is_first'
    if ((await client.query(isTaken, [first])).rowCount)
      throw new UsageError(
        `${first} is not the first source of this site. Give the sources in the same order.`,
      )
    await client.query('UPDATE sources SET is_collected = false')
    if (first === undefined) return
    await client.query('UPDATE sources SET name = $1, is_collected = true WHERE is_first', [first])
    const begin = 'INSERT INTO sources (name, is_first) VALUES ($1, true) ON CONFLICT DO NOTHING'
    await client.query(begin, [first])
    const addOthers =
      'INSERT INTO sources (name, is_first) SELECT unnest($1::text[]), false ON CONFLICT (name)'
    await client.query(`${addOthers} DO UPDATE SET is_collected = true`, [others])
  })
