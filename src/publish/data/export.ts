import { join } from 'node:path'
import type { DataFormat, DataStatistic } from '../../../contract/data-formats.ts'
import type { Stores } from '../../../platform/stores/stores.ts'
import { selectDays } from './publish.ts'
import { dateOf, readDataMarket, secondsOfDay, type Written, writeDataFile } from './write-file.ts'

interface Export {
  statistics: readonly DataStatistic[]
  format: DataFormat
  folder: string
  /** Days that the range touches are written as a whole. `to` is exclusive. */
  from: number
  to: number
}

/** Writes a file for each statistic and day of the series, also of the day that is not complete yet. */
export async function exportDays(
  stores: Stores,
  { statistics, format, folder, from, to }: Export,
): Promise<(Written & { path: string })[]> {
  const { clickhouse } = stores
  const days = (await selectDays(clickhouse)).filter(({ day }) => day < to && day + secondsOfDay > from)
  const market = await readDataMarket(stores)
  const files: (Written & { path: string })[] = []
  for (const { day } of days.reverse())
    for (const statistic of statistics) {
      const path = join(folder, statistic, `${dateOf(day)}.${format}`)
      files.push({
        path,
        ...(await writeDataFile(clickhouse, { ...market, statistic, format, day }, path)),
      })
    }
  return files
}
