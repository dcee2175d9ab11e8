/** An answer of the API, as far as it was read. */
export interface ApiAnswer {
  status: number
  headers: Record<string, unknown>
  /** The body, parsed if it is JSON and complete. */
  body: unknown
  /** Whether the body was longer than what was read. */
  truncated: boolean
}

/** Calls an endpoint with the key of whoever asks: the answer is what this key may see. */
export type CallApi = (method: 'GET' | 'POST', path: string, body?: object) => Promise<ApiAnswer>

/** The longest answer that is read. A grid of 200 GPU types is shorter. */
const longest = 8 * 1024 * 1024

/** Reads a body up to a limit, then leaves, which ends the request. */
export async function readAnswer(
  status: number,
  headers: Record<string, unknown>,
  body: AsyncIterable<Uint8Array>,
): Promise<ApiAnswer> {
  const chunks: Uint8Array[] = []
  let length = 0
  let truncated = false
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    truncated = length > longest
    if (truncated) break
  }
  const text = Buffer.concat(chunks).subarray(0, longest).toString()
  const isJson = !truncated && /^application\/json/.test(String(headers['content-type']))
  return { status, headers, body: isJson ? JSON.parse(text) : text, truncated }
}
