import { parseExactly } from './lines.ts'

export interface Column {
  name: string
  type: string
}
export type Row = unknown[]

export interface Progress {
  rows: number
  bytes: number
  /** The number of rows to read, if known. */
  total: number | undefined
}

/** The result of a query so far. */
export interface Answer {
  columns: Column[]
  rows: Row[]
  /** The row of WITH TOTALS. */
  totals: Row | undefined
  progress: Progress | undefined
  /** The text instead of rows, if the statement names its own FORMAT. */
  text: string | undefined
  /** ClickHouse's message that the query failed half way. */
  exception: string | undefined
  /** True if the result has more rows than are kept. */
  isCut: boolean
  /** The most rows that are kept. */
  most: number
}

/** A browser handles this many easily; a download has all. */
export const mostRows = 100_000
const longestText = 1_000_000

export const noAnswer = (most = mostRows): Answer => ({
  columns: [],
  rows: [],
  totals: undefined,
  progress: undefined,
  text: undefined,
  exception: undefined,
  isCut: false,
  most,
})

/** A line of ClickHouse's JSONCompactEachRowWithProgress. */
interface Line {
  meta?: Column[]
  row?: Row
  totals?: Row
  progress?: { read_rows: string; read_bytes: string; total_rows_to_read?: string }
  exception?: string
}

/** Adds lines to an answer, until it is cut. */
export function takeLines(answer: Answer, lines: readonly string[]): void {
  for (const line of lines) {
    if (answer.isCut) return
    const known = readLine(answer, line)
    if (known) take(answer, known)
    else if (answer.columns.length === 0) takeText(answer, line)
  }
}

/**
 * undefined: not a line of that format. Where the statement names another one, its lines may begin with any name, such as `{"row":1}`:
 * so what comes before the columns is text unless it looks like nothing else.
 */
function readLine({ columns, text }: Answer, line: string): Line | undefined {
  const isOurs =
    text === undefined && columns.length > 0
      ? /^\{"(meta|row|totals|progress|exception|min|max|rows_before)/
      : /^\{"(meta":\[|progress":\{"read_rows":|exception":")/
  if (!isOurs.test(line)) return undefined
  try {
    return parseExactly(line) as Line
  } catch {
    return undefined
  }
}

function take(answer: Answer, { meta, row, totals, progress, exception }: Line): void {
  if (row) {
    if (answer.rows.length < answer.most) answer.rows.push(row)
    else answer.isCut = true
  } else if (progress) {
    const { read_rows, read_bytes, total_rows_to_read: total } = progress
    answer.progress = {
      rows: Number(read_rows),
      bytes: Number(read_bytes),
      total: total === undefined ? answer.progress?.total : Number(total),
    }
  } else if (meta) answer.columns = meta
  else if (totals) answer.totals = totals
  else if (exception !== undefined) answer.exception = exception
}

function takeText(answer: Answer, line: string): void {
  answer.text = answer.text === undefined ? line : `${answer.text}\n${line}`
  answer.isCut = answer.text.length > longestText
}
