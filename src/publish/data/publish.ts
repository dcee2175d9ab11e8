import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { dataFormats, dataStatistics } from '../../../contract/data-formats.ts'
import type { DataFile, DataManifest } from '../../../contract/open-data.ts'
import { type Series, writeSeries } from '../../../ingest/write-series.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import { marketDelay } from '../../../platform/stores/market-delay.ts'
import { one } from '../../../platform/stores/rows.ts'
import type { Stores } from '../../../platform/stores/stores.ts'
import { shownSlots } from '../../market/market-query/series.ts'
import { manifestName, readManifest, writeManifest } from './manifest.ts'
import { type DayFile, dateOf, readDataMarket, secondsOfDay, temporary, writeDataFile } from './write-file.ts'

/** The folder and the retention of open-data files. */
export interface OpenData {
  folder: string
  /** Number of the newest complete days. */
  days: number
  /** The licence line of the manifest. */
  licence: string
}

/** A row of data/days. */
interface Day {
  day: number
  revision: number
  simulated: boolean
  complete: boolean
}

/**
 * Writes the files of every complete day that has none, or has changed since, newest first. Returns the number of written days.
 * No other process writes to the series meanwhile, so that the files of a day agree with each other. After a crash the next call
 * continues: only files in the manifest count as written.
 */
export async function publish(stores: Stores, openData: OpenData, stop?: AbortSignal): Promise<number> {
  await writeSeries(stores, () => sweep(openData.folder), stop)
  let made = 0
  while (!stop?.aborted) {
    if (!(await writeSeries(stores, (series) => publishNext(series, openData), stop))) break
    made += 1
  }
  return made
}

export const selectDays = (clickhouse: ClickHouse): Promise<Day[]> => selectRows<Day>(clickhouse, 'data/days')

/** Writes the files of one day. Returns false when no day is due. */
async function publishNext(series: Series, { folder, days, licence }: OpenData): Promise<boolean> {
  const { clickhouse, postgres } = series
  const known = await readManifest(folder)
  const state = one(await selectRows<{ newest_slot: number }>(clickhouse, 'series/state'))
  const { newest_slot: shown } = await shownSlots(clickhouse, state, await marketDelay(postgres))
  const kept = (await selectDays(clickhouse))
    .filter(({ complete, day }) => complete && day + secondsOfDay <= shown)
    .slice(0, days)
  const oldest = kept.at(-1)?.day ?? 0
  const files = known?.files.filter(({ from }) => from >= oldest) ?? []
  let next: Day | undefined
  for (const day of kept) {
    if (await isMade(folder, day, files)) continue
    next = day
    break
  }
  const made = next
    ? await makeDay(clickhouse, folder, { ...next, market: await readDataMarket(series) })
    : []
  const others = files.filter(({ from }) => from !== next?.day)
  const manifest: DataManifest = { licence, files: [...made, ...others].sort(inOrder) }
  if (JSON.stringify(manifest) !== JSON.stringify(known)) await writeManifest(folder, manifest)
  return next !== undefined
}

const inOrder = (one: DataFile, other: DataFile): number =>
  other.from - one.from || one.path.localeCompare(other.path)

/** True if the files of a day's current revision exist. */
async function isMade(folder: string, { day, revision }: Day, files: readonly DataFile[]): Promise<boolean> {
  const own = files.filter((file) => file.from === day && file.revision === revision)
  if (own.length !== dataStatistics.length * dataFormats.length) return false
  const sizes = await Promise.all(
    own.map(
      async ({ path, bytes }) => (await stat(join(folder, path)).catch(() => undefined))?.size === bytes,
    ),
  )
  return sizes.every(Boolean)
}

async function makeDay(
  clickhouse: ClickHouse,
  folder: string,
  day: Day & { market: Omit<DayFile, 'statistic' | 'format' | 'day'> },
): Promise<DataFile[]> {
  const { day: from, revision, simulated, market } = day
  const files: DataFile[] = []
  for (const statistic of dataStatistics)
    for (const format of dataFormats) {
      const name = `${statistic}/${dateOf(from)}`
      const path = `${name}.r${revision}.${format}`
      const wanted = { ...market, statistic, format, day: from }
      const written = await writeDataFile(clickhouse, wanted, join(folder, path))
      const facts = { path, latest: `${name}.${format}`, statistic, format, ...written }
      files.push({ ...facts, revision, from, to: from + secondsOfDay, simulated })
    }
  return files
}

// The folder may hold other files.
const ofOurs = /^(\.tmp-)?\d{4}-\d\d-\d\d\.r\d+\.(parquet|csv\.gz)$/

/**
 * Removes files that the manifest does not list: leftovers of a crash, and files of earlier revisions. Such files stay until the
 * second pass after their replacement, for running downloads.
 */
async function sweep(folder: string): Promise<void> {
  const named = new Set((await readManifest(folder))?.files.map(({ path }) => path))
  for (const statistic of dataStatistics) {
    await mkdir(join(folder, statistic), { recursive: true })
    for (const file of await readdir(join(folder, statistic)))
      if (ofOurs.test(file) && !named.has(`${statistic}/${file}`))
        await rm(join(folder, statistic, file), { force: true })
  }
  await rm(join(folder, `${temporary}${manifestName}`), { force: true })
}
