import type { Session } from './postgres.ts'

/** False if no source of a market reports which GPUs are rented: figures that need rentals are unknown then. */
export async function rentalsKnown(postgres: Session, sources: readonly string[]): Promise<boolean> {
  const { rows } = await postgres.query<{ source: string }>('SELECT source FROM price_only_sources')
  const without = new Set(rows.map(({ source }) => source))
  return sources.length === 0 || sources.some((source) => !without.has(source))
}
