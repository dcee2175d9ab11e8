import { z } from 'zod'

/** What files of open data hold: the market by the day, by the hour, and the prices of each hour. */
export const dataStatistics = ['daily', 'hourly', 'prices'] as const
export type DataStatistic = (typeof dataStatistics)[number]

/** Formats of the files, which are also their extensions. */
export const dataFormats = ['parquet', 'csv.gz'] as const
export type DataFormat = (typeof dataFormats)[number]

export const dataFile = z.object({
  path: z.string().describe('Below /data/. A file never changes: a changed day has another path'),
  latest: z.string().describe('Below /data/. Redirects to the newest file of the day'),
  statistic: z.enum(dataStatistics),
  format: z.enum(dataFormats),
  sha256: z.string().describe('In hex'),
  bytes: z.int(),
  rows: z.int(),
  revision: z.int().describe('Larger after each change of the day'),
  from: z.int().describe('Start of the day, unix seconds'),
  to: z.int().describe('End of the day, exclusive'),
  simulated: z.boolean().describe('Whether the day holds data of a simulated market'),
})
export type DataFile = z.infer<typeof dataFile>

/** /data/manifest.json. */
export const dataManifest = z.object({ licence: z.string(), files: z.array(dataFile) })
export type DataManifest = z.infer<typeof dataManifest>
