/** The lines of a stream of text, in batches as they arrive. */
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
    reader.cancel().catch(() => {}) // the caller has stopped reading
  }
}

const longNumber = /\d{16}/

/** Parses JSON. Numbers that JavaScript would round, such as 64-bit integers, are kept as text. */
export const parseExactly = (text: string): unknown =>
  // A reviver takes four times as long, so it is used only where such a number may be.
  JSON.parse(text, longNumber.test(text) ? keepDigits : undefined)

/** `context` is missing in browsers before 2025, where such numbers are rounded. */
function keepDigits(_name: string, value: unknown, context?: { source?: string }): unknown {
  const written = context?.source
  if (typeof value !== 'number' || written === undefined || /e/i.test(written)) return value
  return String(value) === written ? value : written
}
