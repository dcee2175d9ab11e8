import { type Postgres, transaction } from '../platform/stores/postgres.ts'
import type { PictureStore } from './source.ts'
import type { KnownOffer } from './sweep.ts'

interface OfferRow extends Omit<KnownOffer, 'fields'> {
  id: string
  fields: string
}

/** The picture in a market's database. */
export function storedPictures(postgres: Postgres): PictureStore {
  const ids = new Set<string>()
  return {
    async read() {
      const { rows } = await postgres.query<{
        cells: string
        samples: string
        names: string
        namesAt: number
      }>('sweep/read')
      const [row] = rows
      if (!row) return undefined
      const known = await postgres.query<OfferRow>('sweep/offers')
      const offers = known.rows.map(({ id, fields, ...sights }): [string, KnownOffer] => [
        id,
        { ...sights, fields: JSON.parse(fields) },
      ])
      for (const [id] of offers) ids.add(id)
      return {
        offers: new Map(offers),
        cells: JSON.parse(row.cells),
        samples: JSON.parse(row.samples),
        names: JSON.parse(row.names),
        namesAt: row.namesAt,
      }
    },
    async write({ offers, cells, samples, names, namesAt }, slot) {
      const changed = [...offers].filter(([, { seen, missed }]) => seen === slot || missed > 0)
      const gone = [...ids].filter((id) => !offers.has(id))
      await transaction(postgres, async (session) => {
        await session.query('sweep/write', [
          ...[cells, samples, names].map((part) => JSON.stringify(part)),
          namesAt,
        ])
        await session.query('sweep/forget_offers', [gone])
        await session.query('sweep/write_offers', [
          changed.map(([id]) => id),
          changed.map(([, { fields }]) => JSON.stringify(fields)),
          changed.map(([, { since }]) => since),
          changed.map(([, { seen }]) => seen),
          changed.map(([, { missed }]) => missed),
        ])
      })
    },
  }
}
