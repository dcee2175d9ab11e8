import { z } from 'zod'
import { sourceName } from '../../contract/sources.ts'
import type { Clock } from '../../platform/clock.ts'
import type { ApiAnswer, CallApi } from './call-api.ts'
import { defined, type Figure } from './definitions.ts'

/** The result of a tool: figures from one answer of the API. */
export interface Findings {
  figures: readonly Figure[]
  data: object
  /** The note on how to get data that was left out. */
  note?: string | undefined
}

/** A tool: the endpoint that it calls, and its findings from the answer. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string
  title: string
  description: string
  input: Input
  /** `now` in unix seconds. */
  path: (input: z.output<Input>, now: number) => string
  summarize: (body: never, input: z.output<Input>, headers: ApiAnswer['headers']) => Findings
}

/** Input that every tool about a market accepts besides its own. */
export const ofSource = z.object({
  source: z
    .string()
    .regex(sourceName)
    .optional()
    .describe(
      'The source whose market is queried, on a site with several. Default: the first. The tool sources lists them',
    ),
})

/** The input of a tool without unknown arguments: these would otherwise be ignored silently. */
export function strictInput(shape: z.ZodRawShape) {
  const names = Object.keys(shape)
  const error: z.core.$ZodErrorMap = (issue) => {
    if (issue.code !== 'unrecognized_keys') return undefined
    const [unknown = ''] = issue.keys
    const alike = names.filter((name) => name.slice(0, 3) === unknown.slice(0, 3))
    const likely = alike.find((name) => unknown.startsWith(name)) ?? alike[0]
    const hint = likely === undefined ? '' : ` Did you mean ${likely}?`
    return `There is no argument ${unknown}.${hint} The arguments are ${names.join(', ')}.`
  }
  return z.strictObject(shape, { error })
}

const fromSource = (path: string, source: string | undefined): string =>
  source === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}source=${source}`

/** An error that the assistant can correct. */
export class CannotAnswer extends Error {}

/** An assistant reads all of an answer: about 10,000 tokens. */
const longestText = 40_000

/** Calls the endpoint of a tool. Every figure has its unit, its definition and the age of the data. */
export async function answerTool<Input extends z.ZodObject>(
  { path, summarize }: Tool<Input>,
  input: z.output<Input> & z.output<typeof ofSource>,
  { call, clock }: { call: CallApi; clock: Clock },
): Promise<string> {
  const source = fromSource(path(input, clock.now()), input.source)
  const answer = await call('GET', source)
  refuse(answer)
  const { figures, data, note } = summarize(answer.body as never, input, answer.headers)
  const text = JSON.stringify({
    source: `GET ${source}`,
    ...stateOf(answer, clock.now()),
    definitions: defined(figures),
    data,
    note,
  })
  if (text.length <= longestText) return text
  throw new CannotAnswer(
    'The answer would be too long. Request fewer GPU types, a shorter range or a larger step.',
  )
}

/** Throws the API's message when it refuses the request. */
export function refuse({ status, body, truncated }: ApiAnswer): void {
  const { msg, needs_machine } = (typeof body === 'object' ? body : {}) as {
    msg?: string
    needs_machine?: boolean
  }
  if (status !== 200) throw new CannotAnswer(msg ?? `The service answered with status ${status}.`)
  if (truncated) throw new CannotAnswer('The answer is too long. Request fewer GPU types or a shorter range.')
  if (needs_machine)
    throw new CannotAnswer(
      'Hosts see a market only while they have an active machine in it, or claim machines of its source.',
    )
}

/** The age of the figures. */
function stateOf({ headers, body }: ApiAnswer, now: number) {
  const { slot, names = [] } = body as { slot?: number | null; names?: { last_seen: number }[] }
  const seen = names.map(({ last_seen }) => last_seen)
  const newest = slot ?? (Number(headers['rackrate-newest-slot'] ?? 0) || Math.max(0, ...seen))
  return {
    snapshot: newest === 0 ? null : isoOf(newest),
    age_seconds: newest === 0 ? null : Math.max(0, Math.floor(now) - newest),
    ...(headers['rackrate-step'] !== undefined && { step_seconds: Number(headers['rackrate-step']) }),
    // The list of sources belongs to no market, so it has no such headers.
    ...('rackrate-rentals' in headers && { rentals: headers['rackrate-rentals'] }),
    ...('rackrate-newest-slot' in headers && { simulated: headers['rackrate-simulated'] === 'true' }),
  }
}

export const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000', '')

const time = (description: string) =>
  z
    .union([z.iso.datetime({ offset: true }), z.iso.date(), z.int().min(0).max(4_102_444_800)])
    .describe(`${description}: 2026-01-31, 2026-01-31T12:00:00Z or unix seconds`)
    .transform((value) => (typeof value === 'number' ? value : Math.floor(Date.parse(value) / 1000)))

const gpuName = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[^,]*$/, 'must be one name each')

export const gpuNames = (most: number) =>
  z
    .union([z.array(gpuName), z.string().transform((text) => text.split(','))])
    .pipe(z.array(gpuName).min(1).max(most))
    .describe(
      `Names of GPU types, a list or separated by commas, at most ${most}, such as "RTX 4090". The tool gpu_types lists them`,
    )

export const range = {
  start: time('Start of the range. Default: a day before its end').optional(),
  end: time('End of the range. Default: now').optional(),
}

type Value = string | number | boolean | undefined

/** The path with a query string of the defined values. */
export function pathOf(path: string, values: Record<string, Value | readonly string[]>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value))
  return `${path}?${query}`
}
