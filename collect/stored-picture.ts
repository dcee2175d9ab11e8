import { type Postgres, transaction } from '../platform/stores/postgres.ts'
import type { PictureStore } from './source.ts'
import type { KnownMachine } from './sweep.ts'

interface MachineRow extends Omit<KnownMachine, 'offers'> {
  key: string
  offers: string
}

/** The picture in a market's database. */
export function storedPictures(postgres: Postgres): PictureStore {
  const stored = new Set<string>()
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
      const known = await postgres.query<MachineRow>('sweep/machines')
      const machines = known.rows.map(({ key, offers, ...sights }): [string, KnownMachine] => [
        key,
        { ...sights, offers: JSON.parse(offers) },
      ])
      for (const [key] of machines) stored.add(key)
      return {
        machines: new Map(machines),
        cells: JSON.parse(row.cells),
        samples: JSON.parse(row.samples),
        names: JSON.parse(row.names),
        namesAt: row.namesAt,
      }
    },
    async write({ machines, cells, samples, names, namesAt }, slot) {
      const changed = [...machines].filter(([, { seen, missed }]) => seen === slot || missed > 0)
      const gone = [...stored].filter((key) => !machines.has(key))
      await transaction(postgres, async (session) => {
        await session.query('sweep/write', [
          ...[cells, samples, names].map((part) => JSON.stringify(part)),
          namesAt,
        ])
        await session.query('sweep/forget_machines', [gone])
        await session.query('sweep/write_machines', [
          changed.map(([key]) => key),
          changed.map(([, { offers }]) => JSON.stringify(offers)),
          changed.map(([, { seen }]) => seen),
          changed.map(([, { missed }]) => missed),
        ])
      })
    },
  }
}
