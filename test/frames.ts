import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'

const run = promisify(execFile)

/** The rows that DuckDB answers. */
export async function duck(query: string) {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    return (await connection.runAndReadAll(query)).getRowObjectsJson()
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

const isNumeric = /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|FLOAT|DOUBLE|DECIMAL.*)$/

interface Column {
  column_name: string
  column_type: string
}

/** The names of the numeric columns of a Parquet file. */
export async function numericColumns(parquet: string): Promise<string[]> {
  const columns = (await duck(`DESCRIBE SELECT * FROM '${parquet}'`)) as unknown as Column[]
  return columns.flatMap(({ column_name, column_type }) => (isNumeric.test(column_type) ? [column_name] : []))
}

/** The mean of each column as DuckDB takes it; null where a column has no value. A column without any value has no type in a CSV. */
export async function duckMeans(from: string, columns: readonly string[]) {
  const counts = columns.map((name) => `count("${name}") AS "${name}"`)
  const [counted = {}] = await duck(`SELECT ${counts.join(', ')} FROM ${from}`)
  const filled = columns.filter((name) => Number(counted[name]) > 0)
  const means = filled.map((name) => `avg("${name}") AS "${name}"`)
  const [found = {}] = filled.length > 0 ? await duck(`SELECT ${means.join(', ')} FROM ${from}`) : []
  return columns.map((name) => (name in found ? Number(found[name]) : null))
}

/** A CSV, or another file with a separator of its own, and the columns whose mean is wanted. */
export interface TextFile {
  path: string
  columns: readonly string[]
  separator?: string
}

const means = `
import json, math, sys, pandas
def mean(column):
    found = column.mean()
    return None if math.isnan(found) else found
def means(file):
    frame = pandas.read_csv(file["path"], sep=file.get("separator", ","))
    return [mean(frame[name]) for name in file["columns"]]
print(json.dumps([means(file) for file in json.loads(sys.argv[1])]))`

/** The means of the columns of each file as pandas takes them, which fails where a column holds a text. */
export async function pandasMeans(python: string, files: readonly TextFile[]): Promise<(number | null)[][]> {
  const { stdout } = await run(python, ['-c', means, JSON.stringify(files)])
  return JSON.parse(stdout)
}
