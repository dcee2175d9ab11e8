import { toError } from '../contract/failure.ts'
import { type Fields, FileError, type FileRecord, longestLine } from './record.ts'

/** Bytes of a JSON document, which must be held as a whole, unlike JSON Lines. */
const longestDocument = 64 * 1024 * 1024

/** The objects of a file with one object per line, in batches. Throws FileError when no line has one of `columns`. */
export async function* jsonLines(
  bytes: AsyncIterable<Buffer>,
  columns: readonly string[],
): AsyncGenerator<FileRecord[]> {
  const unseen = new Set(columns)
  let seen = false
  let line = 0
  let rest = ''
  const read = (lines: readonly string[]): FileRecord[] => {
    const batch: FileRecord[] = []
    for (const text of lines) {
      line += 1
      if (text.trim() === '') continue
      const record = recordOf(line, text)
      if (record.fields) {
        seen = true
        for (const column of unseen) if (column in record.fields) unseen.delete(column)
      }
      batch.push(record)
    }
    return batch
  }
  const decoder = new TextDecoder()
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield read(lines)
    if (rest.length > longestLine)
      throw new FileError(`line ${line + 1} is longer than ${longestLine} characters.`)
  }
  yield read([rest + decoder.decode()])
  // A line may lack a field. When all lines lack it, the mapping is wrong.
  if (seen && unseen.size > 0) throw new FileError(`no line has a field ${[...unseen].join(', ')}.`)
}

function recordOf(line: number, text: string): FileRecord {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return { line, fields: value }
  } catch {
    // The problem is reported below.
  }
  return { line, fields: undefined, problem: 'not a JSON object' }
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The entries of a document's list of `offers`, each with the document's other members. If the document is a list, its entries.
 */
export async function* documentRecords(bytes: AsyncIterable<Buffer>): AsyncGenerator<FileRecord[]> {
  const document = await parsed(bytes)
  const { offers, ...shared } = (Array.isArray(document) ? { offers: document } : document) as {
    offers?: unknown
  }
  if (!Array.isArray(offers)) throw new FileError('the JSON document has no list of offers.')
  yield offers.map((offer: unknown, index) =>
    isObject(offer)
      ? { line: index + 1, fields: { ...shared, ...offer } }
      : { line: index + 1, fields: undefined, problem: 'not a JSON object' },
  )
}

async function parsed(bytes: AsyncIterable<Buffer>): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > longestDocument)
      throw new FileError('this is a JSON document (or line) of more than 64 MB. Make it JSON Lines.')
    chunks.push(chunk)
  }
  try {
    return JSON.parse(
      Buffer.concat(chunks)
        .toString('utf8')
        .replace(/^\uFEFF/, ''),
    )
  } catch (error) {
    throw new FileError(`this is neither CSV, JSON Lines nor a JSON document: ${toError(error).message}.`)
  }
}
