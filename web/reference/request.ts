import { base } from '../api/client.ts'
import type { Operation } from './document.ts'

/** The typed values for an operation: parameters by name, and the body. */
export interface Typed {
  parameters: Readonly<Record<string, string>>
  body: string
}

export interface ApiResponse {
  status: number
  statusText: string
  ms: number
  headers: [string, string][]
  text: string
  /** True if only the beginning of the body is shown. */
  isCut: boolean
}

const longest = 200_000
const longestMs = 20_000

/** The address of a request. Empty parameters are left out. */
export function addressOf({ path, parameters = [] }: Operation, typed: Typed): URL {
  const typedFor = (name: string) => typed.parameters[name] ?? ''
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name) => encodeURIComponent(typedFor(name)))
  const url = new URL(filled.slice(1), base)
  for (const { name, in: place } of parameters)
    if (place === 'query' && typedFor(name) !== '') url.searchParams.set(name, typedFor(name))
  return url
}

function headersOf({ parameters = [], requestBody }: Operation, typed: Typed): [string, string][] {
  const own = parameters
    .filter(({ name, in: place }) => place === 'header' && typed.parameters[name])
    .map(({ name }): [string, string] => [name, typed.parameters[name] ?? ''])
  return requestBody ? [...own, ['content-type', 'application/json']] : own
}

const needsKey = ({ security }: Operation): boolean => security?.length !== 0

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The request as a curl command that reads the key from RACKRATE_KEY, so that no key gets onto the clipboard. */
export function curlOf(operation: Operation, typed: Typed): string {
  const { method, requestBody } = operation
  return [
    'curl -s',
    method !== 'GET' && `-X ${method}`,
    needsKey(operation) && '-H "Authorization: Bearer $RACKRATE_KEY"',
    ...headersOf(operation, typed).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    requestBody && `-d ${quoted(typed.body)}`,
    quoted(addressOf(operation, typed).href),
  ]
    .filter(Boolean)
    .join(' ')
}

/** Sends a request with a key, and reads the beginning of its answer. Streams are read for a while. */
export async function send(
  operation: Operation,
  typed: Typed,
  key: string | undefined,
  ending: AbortSignal,
): Promise<ApiResponse> {
  const started = performance.now()
  const ownHeaders = headersOf(operation, typed)
  if (key && needsKey(operation)) ownHeaders.push(['authorization', `Bearer ${key}`])
  const response = await fetch(addressOf(operation, typed), {
    method: operation.method,
    headers: ownHeaders,
    ...(operation.requestBody && { body: typed.body }),
    signal: ending,
    cache: 'no-store',
  })
  const { text, isCut } = await beginningOf(response)
  return {
    status: response.status,
    statusText: response.statusText,
    ms: Math.round(performance.now() - started),
    headers: [...response.headers],
    text: isCut ? text : pretty(text),
    isCut,
  }
}

async function beginningOf({ body }: Response): Promise<{ text: string; isCut: boolean }> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) return { text: '', isCut: false }
  const tooLong = new Promise<{ done: true; value: undefined; late: true }>((resolve) =>
    setTimeout(() => resolve({ done: true, value: undefined, late: true }), longestMs),
  )
  for (let text = ''; ; ) {
    const read = await Promise.race([reader.read(), tooLong])
    text += read.value ?? ''
    const isCut = 'late' in read || text.length > longest
    if (isCut) reader.cancel()
    if (read.done || isCut) return { text: text.slice(0, longest), isCut }
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
