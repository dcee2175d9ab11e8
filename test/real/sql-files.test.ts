import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasAdHoc } from '../ad-hoc.ts'
import { duckMeans, pandasMeans, type TextFile } from '../frames.ts'
import { needs } from '../needs.ts'
import { findPython } from '../python.ts'
import { startServer, type TestServer } from '../server.ts'

const python = findPython('pandas')
needs(python !== undefined, 'no Python with pandas is installed, so files of ad hoc SQL are not read with it')

let server: TestServer
let dir = ''
beforeAll(async () => {
  server = await startServer()
  dir = mkdtempSync(join(tmpdir(), 'rackrate-sql-'))
})
afterAll(async () => {
  rmSync(dir, { recursive: true, force: true })
  await server?.close()
})

let files = 0
async function fileOf(query: string, format: 'CSV' | 'TSV'): Promise<{ path: string; text: string }> {
  const headers = { authorization: `Bearer ${server.adminKey}` }
  const payload = { query, format }
  const answer = await server.app.inject({ method: 'POST', url: '/api/v0/metrics/sql', headers, payload })
  expect(answer.statusCode, answer.body).toBe(200)
  files += 1
  const path = join(dir, `file-${files}.${format.toLowerCase()}`)
  writeFileSync(path, answer.body)
  return { path, text: answer.body }
}

const list = (values: string) => `SELECT arrayJoin([${values}]) AS x`

const statements: readonly [name: string, query: string, mean: number | null][] = [
  ['a whole number', list('NULL, 1, 3'), 2],
  ['a large whole number', list('NULL, toUInt64(9007199254740992)'), 9007199254740992],
  ['a negative number', list('NULL, toInt8(-3), toInt8(-5)'), -4],
  ['a double', list('NULL, 0.5, 1.5'), 1],
  ['a float', list('NULL, toFloat32(0.25), toFloat32(0.75)'), 0.5],
  ['a decimal', list("NULL, toDecimal64('0.1', 9), toDecimal64('0.3', 9)"), 0.2],
  ['a number that a low cardinality column holds', list('toLowCardinality(toNullable(4)), NULL'), 4],
  ['a percentile of nothing', 'SELECT quantileOrNull(0.5)(number) AS x, 1 AS y FROM numbers(0)', null],
  ['a sum of nothing beside a sum', `SELECT if(number = 0, NULL, number) AS x FROM numbers(3)`, 1.5],
  [
    'an outer join',
    'SELECT a, x FROM (SELECT number AS a FROM numbers(3)) AS l LEFT JOIN (SELECT toNullable(7) AS x, 1 AS a) AS r USING a',
    7,
  ],
  ['a text that is empty', "SELECT number AS x, '' AS y, NULL AS z FROM numbers(4)", 1.5],
  [
    'a text of a line end',
    'SELECT number AS x, if(number = 0, NULL, \'a\\nb,"c"\') AS y FROM numbers(4)',
    1.5,
  ],
  ['a cast', "SELECT toFloat64OrNull(arrayJoin(['x', '2', '4'])) AS x", 3],
  [
    'a window',
    'SELECT lagInFrame(toNullable(number), 1, NULL) OVER (ORDER BY number ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS x FROM numbers(4)',
    1,
  ],
]

describe.skipIf(!hasAdHoc)('unknown values in files of ad hoc SQL', () => {
  it('leave a column of numbers one whose mean DuckDB and pandas take', async () => {
    const read: TextFile[] = []
    for (const [name, query, mean] of statements) {
      const csv = await fileOf(query, 'CSV')
      const tsv = await fileOf(query, 'TSV')
      expect(csv.text + tsv.text, name).not.toContain('\\N')
      expect(await duckMeans(`read_csv('${csv.path}')`, ['x']), name).toEqual([mean])
      read.push({ path: csv.path, columns: ['x'] }, { path: tsv.path, columns: ['x'], separator: '\t' })
    }
    if (!python) return
    const expected = statements.flatMap(([, , mean]) => [[mean], [mean]])
    expect(await pandasMeans(python, read)).toEqual(expected)
  })

  it('differ from an empty text in CSV', async () => {
    const { text } = await fileOf("SELECT '' AS empty, NULL AS unknown", 'CSV')
    expect(text).toBe('"empty","unknown"\n"",\n')
  })
})
