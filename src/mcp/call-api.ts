/** An answer of the API, up to the limit of its length. */
export interface ApiAnswer {
  status: number
  headers: Record<string, unknown>
  /** The body, parsed if it is JSON and complete. */
  body: unknown
  /** True if the body was longer than the limit. */
  truncated: boolean
}

/** Calls an endpoint with the key of the connection: the answer has only data that this key may read. */
export type CallApi = (method: 'GET' | 'POST', path: string, body?: object) => Promise<ApiAnswer>

/** The most bytes of an answer. A grid of 200 GPU types is shorter. */
const longest = 8 * 1024 * 1024

/** Reads a body up to a limit, then stops, which ends the request. */
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
