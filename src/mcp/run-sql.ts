import { z } from 'zod'
import type { CallApi } from './call-api.ts'
import { CannotAnswer, refuse } from './tool.ts'

const mostRows = 100
const longestText = 30_000

export const sqlInput = z.object({
  query: z.string().trim().min(1).max(20_000).describe('One read-only statement of ClickHouse SQL'),
})

export const sqlDescription = `One read-only statement on the analytics database, within limits; at most ${mostRows} rows are answered. \
Its figures are what the statement says: state their unit and age yourself. Select FINAL from cube, price_histogram and slots. \
Prefer the other tools, whose figures are defined.`

/** Runs a statement of an admin through the endpoint of ad hoc SQL. */
export async function runSql({ query }: z.output<typeof sqlInput>, call: CallApi): Promise<string> {
  const answer = await call('POST', '/api/v0/metrics/sql', { query, format: 'JSONEachRow' })
  if (answer.status !== 200) refuse(answer)
  const lines = String(answer.body).split('\n').slice(0, -1)
  const rows = lines.slice(0, mostRows)
  const left = lines.length - rows.length
  const note = left > 0 ? `At least ${left} more rows. Add LIMIT, or aggregate.` : undefined
  const text = `{"source":"POST /api/v0/metrics/sql","rows":[${rows.join(',')}]${note ? `,"note":${JSON.stringify(note)}` : ''}}`
  if (text.length > longestText)
    throw new CannotAnswer('The result is too long. Select fewer columns, or add LIMIT.')
  return text
}
