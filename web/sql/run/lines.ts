/** The lines of a stream of text, as many at a time as have come. */
export async function* linesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string[]> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const lines = (rest + value).split('\n')
      rest = lines.pop() ?? ''
      if (lines.length > 0) yield lines
    }
    if (rest !== '') yield [rest]
  } finally {
    reader.cancel().catch(() => {}) // whoever stops reading wants no more
  }
}

const longNumber = /\d{16}/

/** JSON in which a number that JavaScript would round stays as it is written, as text: 64-bit integers, long decimals. */
export const parseExactly = (text: string): unknown =>
  // Asking for every number takes four times as long, so only where one may be.
  JSON.parse(text, longNumber.test(text) ? keepDigits : undefined)

/** `context` is missing in browsers before 2025, where such numbers are rounded. */
function keepDigits(_name: string, value: unknown, context?: { source?: string }): unknown {
  const written = context?.source
  if (typeof value !== 'number' || written === undefined || /e/i.test(written)) return value
  return String(value) === written ? value : written
}
