import {
  asyncBufferFromFile,
  type FileMetaData,
  type ParquetReadOptions,
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
} from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { codeOf, toError } from '../contract/failure.ts'
import { FileError, type FileRecord } from './record.ts'

const batchSize = 1000

/** A larger row group is refused, since its values are in memory together. Common programs write 122,880 to 1,048,576 rows a group. */
const largestGroup = 512 * 1024 * 1024

const decoder = new TextDecoder()
/** JSON columns stay text, as in a CSV. */
const parsers = { jsonFromBytes: (bytes: Uint8Array | undefined) => bytes && decoder.decode(bytes) }

interface Column {
  name: string
  isSingle: boolean
}

/**
 * The rows of a Parquet file in batches, one row group in memory at a time. `line` is the place of a row in the file, from 1. Throws
 * FileError when one of `columns` is missing, or the file is damaged.
 */
export async function* parquetRecords(
  name: string,
  columns: readonly string[],
): AsyncGenerator<FileRecord[]> {
  const file = await asyncBufferFromFile(name)
  const metadata = await undamaged(parquetMetadataAsync(file))
  const found = columnsOf(metadata, columns)
  let rowStart = 0
  for (const [index, group] of metadata.row_groups.entries()) {
    const rows = Number(group.num_rows)
    refuseLarge(index, Number(group.total_byte_size))
    const values: unknown[][] = []
    for (const { name: column } of found) {
      const options = { file, metadata, columns: [column], rowStart, rowEnd: rowStart + rows }
      values.push(await undamaged(columnValues(options, rows)))
    }
    for (let from = 0; from < rows; from += batchSize) {
      const batch: FileRecord[] = []
      for (let row = from; row < Math.min(from + batchSize, rows); row += 1)
        batch.push({ line: rowStart + row + 1, fields: fieldsOf(found, values, row) })
      yield batch
    }
    rowStart += rows
  }
}

/** All top-level columns of the file. */
function columnsOf(metadata: FileMetaData, columns: readonly string[]): Column[] {
  const found = parquetSchema(metadata).children.map(({ element }) => ({
    name: element.name,
    isSingle: element.type === 'FLOAT',
  }))
  const names = found.map(({ name }) => name)
  const missing = columns.filter((column) => !names.includes(column))
  if (missing.length > 0)
    throw new FileError(
      `there is no column ${missing.join(', ')}. The columns are: ${names.join(', ').slice(0, 300)}`,
    )
  return found
}

function refuseLarge(index: number, bytes: number): void {
  const megabytes = (size: number) => Math.ceil(size / 2 ** 20)
  if (bytes > largestGroup)
    throw new FileError(
      `row group ${index + 1} has ${megabytes(bytes)} MB, more than ${megabytes(largestGroup)}. Write the file with smaller row groups.`,
    )
}

async function columnValues(options: ParquetReadOptions, rows: number): Promise<unknown[]> {
  const values: unknown[] = []
  await parquetRead({
    ...options,
    compressors,
    parsers,
    onChunk: ({ columnData }) => {
      for (let index = 0; index < columnData.length; index += 1) values.push(columnData[index])
    },
  })
  if (values.length !== rows) throw new Error(`a column of ${rows} rows has ${values.length} values`)
  return values
}

function fieldsOf(columns: readonly Column[], values: readonly unknown[][], row: number) {
  const fields: Record<string, unknown> = {}
  for (const [index, { name, isSingle }] of columns.entries()) {
    const value = values[index]?.[row]
    fields[name] = isSingle && typeof value === 'number' ? shortest(value) : value
  }
  return fields
}

/** The shortest number that is equal in 32 bits: 0.1 instead of 0.10000000149011612. */
function shortest(value: number): number {
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return short
  }
  return value
}

/** Throws FileError where the library finds the file damaged. Errors of the operating system have a code, and stay. */
async function undamaged<T>(read: Promise<T>): Promise<T> {
  try {
    return await read
  } catch (error) {
    if (codeOf(error) !== undefined) throw error
    throw new FileError(`the Parquet data cannot be read: ${toError(error).message.slice(0, 300)}`)
  }
}
