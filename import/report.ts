import { z } from 'zod'

/** What came of an import: `read` = `inserted` + `duplicate` + `rejected_total`. */
export const importReport = z.object({
  read: z.int().min(0),
  inserted: z.int().min(0),
  /** Rows that the series has already, or that say again what another row of the files says. */
  duplicate: z.int().min(0),
  /** The first rejected rows. `file` is there when several files were imported. */
  rejected: z.array(z.object({ line: z.int(), reason: z.string(), file: z.string().optional() })),
  rejected_total: z.int().min(0),
})

export type ImportReport = z.infer<typeof importReport>

/** More rejected rows than this are only counted: the report stays below some megabytes. */
export const mostListed = 10_000
