import { z } from 'zod'
import { greatestId } from './fields.ts'

/** The columns that a search can filter and sort by, with the type of their values. */
export type Columns = Record<string, 'text' | 'number' | 'boolean'>

const operators = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'notin'] as const
type Operator = (typeof operators)[number]

/** One condition, with its value in the type of the column. */
export interface ColumnFilter {
  column: string
  op: Operator
  value: unknown
}

const mostValues = 1000

/**
 * Converts a value to the column's type. Clients send numbers and truth values as text, and turn `_` of every text into a space. undefined:
 * not of this type.
 */
function cast(type: Columns[string] | undefined, value: unknown): unknown {
  if (value === null) return null
  if (type === 'text')
    return ['string', 'number'].includes(typeof value) ? String(value).replaceAll('_', ' ') : undefined
  if (type === 'boolean')
    return typeof value === 'boolean' ? value : { true: true, false: false }[String(value).toLowerCase()]
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

const castAll = (type: Columns[string] | undefined, value: unknown): unknown => {
  if (!Array.isArray(value) || value.length > mostValues) return undefined
  const values = value.map((one) => cast(type, one))
  return values.includes(undefined) ? undefined : values
}

/** `{"num_gpus": {"gte": "4"}}`, as a list of conditions on these columns. */
export const filtersOn = (columns: Columns) =>
  z
    .record(z.string(), z.record(z.string(), z.unknown()), {
      error: 'filters must be an object: {"column": {"op": value}}',
    })
    .transform((given, context) => {
      const refuse = (message: string) => context.addIssue({ code: 'custom', message })
      return Object.entries(given).flatMap(([column, conditions]) => {
        const type = Object.hasOwn(columns, column) ? columns[column] : undefined
        if (!type) refuse(`there is no column ${column.slice(0, 50)} to filter by`)
        return Object.entries(conditions).flatMap(([op, raw]): ColumnFilter[] => {
          const isList = op === 'in' || op === 'notin'
          const value = isList ? castAll(type, raw) : cast(type, raw)
          const operator = operators.find((known) => known === op)
          if (!operator) refuse(`${column.slice(0, 50)}: the operator must be one of ${operators.join(', ')}`)
          else if (type && value === undefined)
            refuse(`${column}: ${op} takes a ${type}${isList ? `, at most ${mostValues} in a list` : ''}`)
          return operator ? [{ column, op: operator, value }] : []
        })
      })
    })

/** JSON that PostgreSQL can store: without NUL characters and lone surrogates, which are escaped in its text. Throws. */
function parseStorable(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (/\\u(?:0000|d[89a-f])/i.test(JSON.stringify(value))) throw new Error('not storable')
  return value
}

/** A parameter of the query string with JSON, as official clients send it for non-text values. */
export const jsonParameter = <Schema extends z.ZodType>(schema: Schema, description: string) =>
  z
    .string()
    .transform((text, context) => {
      try {
        return parseStorable(text)
      } catch {
        context.addIssue({ code: 'custom', message: 'must be JSON of valid Unicode without NUL characters' })
        return z.NEVER
      }
    })
    .pipe(schema)
    .optional()
    .meta({ type: 'string', description })

/** `{"col": "id", "dir": "desc"}` or `["id", "desc"]`, on these columns. */
export const orderOn = (columns: Columns) => {
  const column = z.string().refine((name) => Object.hasOwn(columns, name), { error: 'must be a column' })
  const direction = z.enum(['asc', 'desc']).default('asc')
  const pair = z.tuple([column, direction]).transform(([col, dir]) => ({ col, dir }))
  return z.array(z.union([z.object({ col: column, dir: direction }), pair])).max(5)
}

/** The place in a list where the next page begins. Opaque for clients; it stays valid when rows come and go. */
export interface Cursor {
  id: number
  /** The value of the column that the list is sorted by. */
  value: string | number | boolean | null
}

/** The token of a place in a list. */
export const encodeToken = (place: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url')

export const tokenOf = ({ id, value }: Cursor): string => encodeToken([id, value])

/** `after_token` of a list with places of this form. */
export const tokenFor = <Place extends z.ZodType>(place: Place) =>
  z
    .string()
    .max(2000, 'must be the next_token of an answer')
    .transform((token, context): z.output<Place> => {
      try {
        return place.parse(parseStorable(Buffer.from(token, 'base64url').toString()))
      } catch {
        context.addIssue({ code: 'custom', message: 'must be the next_token of an answer' })
        return z.NEVER
      }
    })
    .optional()
    .meta({ type: 'string', description: '`next_token` of the page before' })

export const afterToken = tokenFor(
  z
    .tuple([z.int().min(1).max(greatestId), z.union([z.string(), z.number(), z.boolean(), z.null()])])
    .transform(([id, value]): Cursor => ({ id, value })),
)

export const pageSize = (most: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/, 'must be an integer')
    .transform((text) => Math.min(most, Math.max(1, Number(text))))
    .default(most)
    .meta({ type: 'integer', description: `Rows of a page, at most ${most}` })

/** The token of a list of rows with UUIDs is the id of the last row of the page before. */
export const afterRow = z
  .uuid({ error: 'must be the next_token of an answer' })
  .optional()
  .describe('`next_token` of the page before')
export const nextToken = z
  .string()
  .nullable()
  .describe('`after_token` of the next page; null: this is the last one')

/** The header of a list whose body has no place for the token. */
export const nextTokenHeader = {
  'Rackrate-Next-Token': '`after_token` of the next page. Missing: this is the last one',
}

/** The rows of a page, cut from one row more than it has, and the beginning of the next page. */
export function pageOfRows<Row extends { id: string }>(rows: readonly Row[], limit: number) {
  const page = rows.slice(0, limit)
  return { page, next_token: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
}

const scalarOf = (value: unknown): Cursor['value'] =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null

/** The rows of a page, cut from one row more than it has, and the beginning of the next page. */
export function pageOf<Row extends { id: number }>(
  rows: readonly Row[],
  limit: number,
  column: keyof Row,
): { page: Row[]; next_token: string | null } {
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return { page, next_token: last ? tokenOf({ id: last.id, value: scalarOf(last[column]) }) : null }
}
