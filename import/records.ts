import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { codeOf, toError } from '../contract/failure.ts'
import { csvRecords } from './csv.ts'
import { documentRecords, jsonLines } from './json.ts'
import { parquetRecords } from './parquet.ts'
import { FileError, type FileRecord } from './record.ts'

/** Throws FileError unless `file` can be opened. Returns its size in bytes, 0 for a pipe. */
export async function sizeOf(file: string): Promise<number> {
  try {
    const stats = await stat(file)
    if (stats.isDirectory()) throw new FileError(`${file} is a directory.`)
    return stats.isFile() ? stats.size : 0
  } catch (error) {
    throw asFileError(file, error)
  }
}

/** The records of a file. `onChunk` receives the bytes of the file. Throws FileError. */
export async function* readRecords(
  file: string,
  columns: readonly string[],
  onChunk: (chunk: Buffer) => void = () => {},
): AsyncGenerator<FileRecord[]> {
  try {
    if (await isParquet(file)) {
      // Parquet is read from its end, so `onChunk` receives the bytes before.
      for await (const chunk of createReadStream(file)) onChunk(chunk)
      yield* parquetRecords(file, columns)
    } else yield* recordsIn(counted(createReadStream(file), onChunk), columns)
  } catch (error) {
    throw asFileError(file, error)
  }
}

/** False for a pipe, which can only be read from its start. */
async function isParquet(file: string): Promise<boolean> {
  if (!(await stat(file)).isFile()) return false
  const handle = await open(file)
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    return beginsAsParquet(buffer)
  } finally {
    await handle.close()
  }
}

const beginsAsParquet = (head: Buffer): boolean => head.subarray(0, 4).toString('latin1') === 'PAR1'

/**
 * Records in batches, in bounded memory: CSV with a heading, JSON Lines, or a JSON document with a list of `offers`, gzipped or
 * not. The content decides the format. Throws FileError, and errors from reading the bytes.
 */
export async function* recordsIn(
  content: AsyncIterable<Buffer>,
  columns: readonly string[],
): AsyncGenerator<FileRecord[]> {
  const raw = await peek(content, 2)
  const packed = raw.head[0] === 0x1f && raw.head[1] === 0x8b
  const { head, bytes } = packed ? await peek(unpacked(raw.bytes), headSize) : await peek(raw.bytes, headSize)
  const kind = kindOf(head)
  if (kind === 'csv') yield* csvRecords(bytes, columns)
  else if (kind === 'lines') yield* jsonLines(bytes, columns)
  else if (kind === 'document') yield* documentRecords(bytes)
  else for await (const _ of bytes); // Reads to the end, to detect a damaged file.
}

async function* counted(bytes: Readable, onChunk: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    onChunk(chunk)
    yield chunk
  }
}

// The reader of the result receives the errors, so the callback is empty.
const unpacked = (bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> =>
  pipeline(Readable.from(bytes, { objectMode: false }), createGunzip(), () => {})

const headSize = 65_536

/** The first bytes (at least `size`, if the file has them), and all bytes including the first. */
async function peek(
  bytes: AsyncIterable<Buffer>,
  size: number,
): Promise<{ head: Buffer; bytes: AsyncGenerator<Buffer> }> {
  const iterator = bytes[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  for (let done = false; !done && head.length < size; ) {
    const next = await iterator.next()
    done = next.done === true
    if (!next.done) head = Buffer.concat([head, next.value])
  }
  async function* all() {
    try {
      if (head.length > 0) yield head
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  }
  return { head, bytes: all() }
}

/**
 * The format of a text. JSON Lines begin with a line that is one object without offers. Other JSON is a document. Everything else
 * is CSV.
 */
export function kindOf(head: Buffer): 'csv' | 'lines' | 'document' | 'empty' {
  if (beginsAsParquet(head))
    throw new FileError('This is Parquet. It is read from a file that is not gzipped, by `rackrate import`.')
  if (head.includes(0)) throw new FileError('This is not UTF-8 text.')
  const [firstLine = ''] = head
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()
    .split('\n')
  if (firstLine === '') return 'empty'
  if (firstLine.startsWith('[')) return 'document'
  if (!firstLine.startsWith('{')) return 'csv'
  return firstLine.trimEnd().endsWith('}') && !hasOffers(firstLine) ? 'lines' : 'document'
}

function hasOffers(line: string): boolean {
  try {
    return Array.isArray((JSON.parse(line) as { offers?: unknown }).offers)
  } catch {
    return false
  }
}

const reasons: Record<string, string> = {
  ENOENT: 'no such file.',
  EACCES: 'not allowed to read it.',
  EISDIR: 'this is a directory.',
  Z_BUF_ERROR: 'the gzip data ends too early.',
  Z_DATA_ERROR: 'the gzip data is damaged.',
}

function asFileError(file: string, error: unknown): unknown {
  if (error instanceof FileError)
    return error.message.startsWith(file) ? error : new FileError(`${file}: ${error.message}`)
  const code = codeOf(error)
  const { message } = toError(error)
  // Other errors are not about the file and keep their stack.
  if (!/^(E[A-Z]+|Z_\w+)$/.test(code ?? '')) return error
  return new FileError(`${file}: ${reasons[code ?? ''] ?? message}`)
}
