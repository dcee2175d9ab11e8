import { join } from 'node:path'
import type { DataFormat, DataStatistic } from '../../../contract/data-formats.ts'
import { catalogStates } from '../../../ingest/read-catalogs.ts'
import { isOwnMarket } from '../../../platform/stores/own-market.ts'
import type { Stores } from '../../../platform/stores/stores.ts'
import { selectDays } from './publish.ts'
import { dateOf, secondsOfDay, type Written, writeDataFile } from './write-file.ts'

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
  { postgres, clickhouse }: Stores,
  { statistics, format, folder, from, to }: Export,
): Promise<(Written & { path: string })[]> {
  const days = (await selectDays(clickhouse)).filter(({ day }) => day < to && day + secondsOfDay > from)
  const isOwn = await isOwnMarket(postgres)
  const catalogs = await catalogStates(postgres)
  const files: (Written & { path: string })[] = []
  for (const { day } of days.reverse())
    for (const statistic of statistics) {
      const path = join(folder, statistic, `${dateOf(day)}.${format}`)
      files.push({
        path,
        ...(await writeDataFile(clickhouse, { isOwn, catalogs, statistic, format, day }, path)),
      })
    }
  return files
}
