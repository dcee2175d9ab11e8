import { UsageError } from '../platform/usage-error.ts'

/** A file that cannot be read, or is not in the expected format. */
export class FileError extends UsageError {}

/** The values of a record by column name: text, or JSON values. */
export type Fields = Readonly<Record<string, unknown>>

export interface FileRecord {
  /** The line where the record begins, from 1. In a JSON document, its place in the list. */
  line: number
  /** Undefined when the record cannot be read. `problem` has the reason. */
  fields: Fields | undefined
  problem?: string
}

/** Longer lines end the import, so that memory stays bounded. Real rows have less than a thousandth of that. */
export const longestLine = 1_000_000
