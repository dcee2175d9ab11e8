import type { Fields } from '../import/record.ts'
import { SourceError } from './source-error.ts'

/**
 * Bytes of an object, or of the text beside the objects, above which the document is not a list of machines. Real ones have a few
 * kilobytes.
 */
const longest = 4_000_000

const [quote, backslash] = [0x22, 0x5c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Reads a JSON document that is a list of objects, or that has such a list as its member `offers`. `onObject` receives each
 * object as its bytes arrive, so memory holds one of them. Returns the document's other members once all of it has been read and
 * is valid. Throws SourceError for any other document, including one that ends too early.
 */
export async function readList(
  bytes: AsyncIterable<Buffer>,
  onObject: (fields: Fields) => void,
): Promise<Fields> {
  // The document with a 0 in place of each object of the list. It is parsed at the end, which finds every cut and every stray
  // character.
  const outline = openText()
  const object = openText()
  let objects = 0
  let depth = 0
  let listDepth = Number.NaN
  let [inText, isEscaped] = [false, false]
  for await (const chunk of bytes) {
    let from = 0
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]
      if (inText) {
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        else if (byte === quote) inText = false
      } else if (byte === quote) inText = true
      else if (byte === openBrace && depth === listDepth) {
        outline.add(chunk.subarray(from, at))
        from = at
        depth += 1
      } else if (byte === openBracket || byte === openBrace) {
        depth += 1
        if (byte === openBracket && Number.isNaN(listDepth)) {
          const isList = depth === 1 || (depth === 2 && outline.endsWith(chunk.subarray(from, at), offersKey))
          if (isList) listDepth = depth
        }
      } else if (byte === closeBracket || byte === closeBrace) {
        depth -= 1
        if (depth === listDepth && byte === closeBrace) {
          object.add(chunk.subarray(from, at + 1))
          onObject(parsed(object.take()) as Fields)
          objects += 1
          outline.add(zero)
          from = at + 1
        } else if (depth < listDepth) listDepth = Number.POSITIVE_INFINITY
      }
    }
    ;(depth > listDepth ? object : outline).add(chunk.subarray(from))
  }
  return membersOf(parsed(outline.take()), objects)
}

const zero = Buffer.from('0')
const offersKey = /(?<!\\)"offers"\s*:\s*$/

function membersOf(document: unknown, objects: number): Fields {
  const members = Array.isArray(document) ? { offers: document } : document
  const { offers, ...others } = (members ?? {}) as { offers?: unknown }
  if (!Array.isArray(offers)) throw new SourceError('The answer has no list of offers.')
  if (offers.length !== objects) throw new SourceError('The list has entries that are not JSON objects.')
  return others
}

/** A member whose value is a number in Python and not in JSON. */
const noNumber = /"([^"\\]{1,64})"\s*:\s*(-?(?:NaN|Infinity))\b/

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const [, name, value] = noNumber.exec(text) ?? []
    const problem = name
      ? `is not JSON: ${name} is ${value}, which JSON does not have`
      : 'is not JSON, is damaged, or ends too early'
    throw new SourceError(`The answer ${problem}.`, { cause })
  }
}

/** Collects text that arrives in pieces. Each piece is copied: a slice of a buffer would keep the whole buffer in memory. */
function openText() {
  let bytes = ''
  return {
    add(piece: Buffer) {
      bytes += piece.toString('latin1')
      if (bytes.length > longest)
        throw new SourceError(`The answer has a part of more than ${longest} bytes.`)
    },
    /** True if the text plus `more` ends with `end`. */
    endsWith: (more: Buffer, end: RegExp) =>
      end.test(bytes.slice(-64) + more.subarray(-64).toString('latin1')),
    take() {
      const text = Buffer.from(bytes, 'latin1').toString('utf8')
      bytes = ''
      return text.replace(/^\uFEFF/, '')
    },
  }
}
