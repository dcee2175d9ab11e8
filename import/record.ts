import { UsageError } from '../platform/usage-error.ts'

/** A file that cannot be read, or is not in the expected format. */
export class FileError extends UsageError {}

/** What a record has by column name: text, or what JSON has there. */
export type Fields = Readonly<Record<string, unknown>>

export interface FileRecord {
  /** Where the record begins, from 1; in a JSON document its place in the list. */
  line: number
  /** Undefined where the record can't be read; `problem` says why. */
  fields: Fields | undefined
  problem?: string
}

/** Longer lines end the import: no row of ours is a thousandth of that, and memory stays bounded. */
export const longestLine = 1_000_000
