import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { PassThrough, pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { parse } from 'csv-parse'
import type { Fields } from './observation.ts'

/** A file that can't be read as what it should be; the message is a sentence. */
export class FileError extends Error {}

export interface FileRecord {
  line: number
  /** Undefined where the line can't be read; `problem` says why. */
  fields: Fields | undefined
  problem?: string
}

const longestLine = 1_000_000
const longestDocument = 256 * 1024 * 1024

/**
 * The records of a file one by one, in constant memory: CSV with a heading, JSON Lines, or a JSON document with a list of `offers` (each
 * gets the document's other members, too, and its place in the list as its line). Gzip or not, by content. Throws FileError.
 */
export async function* readRecords(file: string, columns: readonly string[]): AsyncGenerator<FileRecord> {
  const start = await firstBytes(file)
  const bytes = start.gzip ? gunzip(file) : createReadStream(file)
  try {
    const [kind, stream] = await sniff(bytes)
    if (kind === 'csv') yield* csvRecords(stream, columns)
    else if (kind === 'lines') yield* jsonLines(stream)
    else if (kind === 'document') yield* documentRecords(stream)
  } catch (error) {
    if (error instanceof FileError) throw error
    throw new FileError(`${file}: ${(error as Error).message}`)
  } finally {
    bytes.destroy()
  }
}

async function firstBytes(file: string): Promise<{ gzip: boolean }> {
  try {
    const handle = await open(file)
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0)
      return { gzip: bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b }
    } finally {
      await handle.close()
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new FileError(
      code === 'ENOENT'
        ? `${file}: no such file`
        : code === 'EISDIR'
          ? `${file} is a directory`
          : `${file}: ${code}`,
    )
  }
}

// Errors reach the reader of the result, so the callback has nothing to do.
const gunzip = (file: string): Readable => pipeline(createReadStream(file), createGunzip(), () => {})

/** Looks at the beginning: a JSON document spans lines or has offers, a JSON line is an object of its own, else it is CSV. */
async function sniff(bytes: Readable): Promise<['csv' | 'lines' | 'document' | 'empty', Readable]> {
  const iterator: AsyncIterator<Buffer> = bytes[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  while (head.length < 65_536) {
    const { done, value } = await iterator.next()
    if (done) break
    head = Buffer.concat([head, value])
  }
  const text = head
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()
  const [firstLine = ''] = text.split('\n')
  const kind =
    text === ''
      ? 'empty'
      : !text.startsWith('{')
        ? 'csv'
        : isJson(firstLine) && !/^\{\s*"[^}]*"offers"\s*:/.test(firstLine)
          ? 'lines'
          : 'document'
  const rest = new PassThrough()
  const feed = async () => {
    rest.write(head)
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      if (!rest.write(next.value)) await new Promise((resolve) => rest.once('drain', resolve))
    }
    rest.end()
  }
  feed().catch((error) => rest.destroy(error))
  return [kind, rest]
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

async function* csvRecords(stream: Readable, columns: readonly string[]): AsyncGenerator<FileRecord> {
  const heading = (names: string[]) => {
    const missing = columns.filter((column) => !names.includes(column))
    if (missing.length > 0)
      throw new FileError(
        `The file has no column ${missing.join(', ')}. It has: ${names.join(', ').slice(0, 300)}`,
      )
    if (new Set(names).size < names.length) throw new FileError('The file has a column twice.')
    return names
  }
  const options = {
    bom: true,
    columns: heading,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: longestLine,
  }
  const parser = stream.pipe(parse(options))
  stream.once('error', (error) => parser.destroy(error))
  for await (const { record, info } of parser as AsyncIterable<{
    record: Fields
    info: { lines: number; error?: Error }
  }>) {
    if (info.error)
      yield { line: info.lines, fields: undefined, problem: 'not as many columns as the heading' }
    else yield { line: info.lines, fields: record }
  }
}

async function* jsonLines(stream: Readable): AsyncGenerator<FileRecord> {
  let line = 0
  let rest = ''
  const read = (text: string): FileRecord | undefined => {
    line += 1
    if (text.trim() === '') return undefined
    try {
      const fields: unknown = JSON.parse(text)
      if (typeof fields === 'object' && fields !== null && !Array.isArray(fields))
        return { line, fields: fields as Fields }
    } catch {
      // answered below
    }
    return { line, fields: undefined, problem: 'not a JSON object' }
  }
  for await (const text of stream.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > longestLine)
      throw new FileError(`line ${line + lines.length + 1} is longer than ${longestLine} characters`)
    for (const one of lines) {
      const record = read(one)
      if (record) yield record
    }
  }
  const last = read(rest)
  if (last) yield last
}

async function* documentRecords(stream: Readable): AsyncGenerator<FileRecord> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > longestDocument)
      throw new FileError(`a JSON document of more than ${longestDocument} bytes; use JSON Lines`)
    chunks.push(chunk)
  }
  let document: { offers?: unknown }
  try {
    document = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch (error) {
    throw new FileError(`neither CSV, JSON Lines nor a JSON document: ${(error as Error).message}`)
  }
  const { offers, ...shared } = document
  if (!Array.isArray(offers)) throw new FileError('The JSON document has no list of offers.')
  for (const [index, offer] of offers.entries()) yield { line: index + 1, fields: { ...shared, ...offer } }
}
