import { z } from 'zod'
import { dataFormats, dataStatistics } from './data-formats.ts'

export const dataFile = z.object({
  path: z
    .string()
    .describe('Path below /data/. A file never changes; when a day changes, its file gets a new path'),
  latest: z.string().describe('Path below /data/. Redirects to the newest file of the day'),
  statistic: z.enum(dataStatistics),
  format: z.enum(dataFormats),
  sha256: z.string().describe('In hex'),
  bytes: z.int(),
  rows: z.int(),
  revision: z.int().describe('Increases with each change of the day'),
  from: z.int().describe('Start of the day, unix seconds'),
  to: z.int().describe('End of the day, exclusive'),
  simulated: z.boolean().describe('True if the day contains data of a simulated market'),
})
export type DataFile = z.infer<typeof dataFile>

/** /data/manifest.json. */
export const dataManifest = z.object({ licence: z.string(), files: z.array(dataFile) })
export type DataManifest = z.infer<typeof dataManifest>
