import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mappedFormat } from '../../import/mapping.ts'
import { type Observation, Rejected } from '../../import/observation.ts'
import type { Fields } from '../../import/record.ts'
import { readRecords } from '../../import/records.ts'
import { duck } from '../frames.ts'

let dir = ''
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'rackrate-parquet-'))
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

async function read(file: string, columns: readonly string[] = [], onChunk?: (chunk: Buffer) => void) {
  const rows: { line: number; fields: Fields | undefined }[] = []
  for await (const batch of readRecords(file, columns, onChunk)) rows.push(...batch)
  return rows
}

let written = 0
/** Writes the rows of a query with DuckDB. Returns the path of the file. */
async function write(query: string, options = ''): Promise<string> {
  written += 1
  const file = join(dir, `file-${written}.parquet`)
  await duck(`COPY (${query}) TO '${file}' (FORMAT parquet${options})`)
  return file
}

const slot = 1_770_000_000
const map = 'slot=ts,machine_id=id,gpu_name=gpu,num_gpus=n,price=usd,rented=rented,host_id=host,gpu_ram=ram'
const format = mappedFormat(map, 'mine')

/** The observations of a file, and the reasons of the rows without one. */
async function observe(file: string): Promise<(Observation | string)[]> {
  return (await read(file, format.columns)).map(({ fields }) => {
    try {
      return format.observe(fields ?? {})
    } catch (error) {
      if (error instanceof Rejected) return error.message
      throw error
    }
  })
}

/** One row as DuckDB writes it, with some of its values replaced. */
const rowOf = (values: Record<string, string> = {}): string => {
  const row = {
    ts: `${slot}`,
    id: `'m1'`,
    gpu: `'RTX 4090'`,
    n: '2',
    usd: '0.35',
    rented: 'true',
    host: 'NULL',
    ram: '24564',
  }
  const pairs = Object.entries({ ...row, ...values })
  return `SELECT ${pairs.map(([name, value]) => `${value} AS ${name}`).join(', ')}`
}

const usual = {
  slot,
  gpu_name: 'RTX 4090',
  num_gpus: 2,
  gpus: 2,
  rented: true,
  price: '0.350000000',
  gpu_ram: 24_564,
  host_id: null,
}

describe('a Parquet file', () => {
  it.each(['uncompressed', 'snappy', 'gzip', 'zstd', 'lz4', 'lz4_raw', 'brotli'])(
    'is read when it is compressed with %s',
    async (codec) => {
      const query = `SELECT range AS place, 'machine ' || range % 7 AS id, range * 0.001 AS usd FROM range(3000)`
      const rows = await read(await write(query, `, COMPRESSION ${codec}`))
      expect(rows).toHaveLength(3000)
      expect(rows[2999]).toMatchObject({ line: 3000, fields: { place: 2999n, id: 'machine 3', usd: 2.999 } })
    },
  )

  it.each<[string, Record<string, string>]>([
    ['a timestamp in seconds', { ts: `make_timestamp(${slot}000000)::TIMESTAMP_S` }],
    ['a timestamp in milliseconds', { ts: `make_timestamp(${slot}000000)::TIMESTAMP_MS` }],
    ['a timestamp in microseconds', { ts: `make_timestamp(${slot}000000)` }],
    ['a timestamp in nanoseconds', { ts: `make_timestamp(${slot}000000)::TIMESTAMP_NS` }],
    ['a timestamp with a time zone', { ts: `make_timestamptz(${slot}000000)` }],
    ['a time as text', { ts: `'2026-02-02 02:40:00+00'` }],
    ['unix seconds in 64 bits', { ts: `${slot}::BIGINT` }],
    ['unix seconds in 64 bits without a sign', { ts: `${slot}::UBIGINT` }],
    ['unix seconds as a double', { ts: `${slot}::DOUBLE` }],
    ['a price as a decimal', { usd: '0.35::DECIMAL(18, 9)' }],
    ['a price as a decimal of 38 digits', { usd: '0.35::DECIMAL(38, 20)' }],
    ['a price in 32 bits', { usd: '0.35::FLOAT' }],
    ['a price as text', { usd: `'0.35'` }],
    ['small numbers of GPUs', { n: '2::UTINYINT' }],
    ['GPUs in 128 bits', { n: '2::HUGEINT' }],
    ['an enumeration', { gpu: `'RTX 4090'::ENUM('A100', 'RTX 4090')` }],
    ['a state as text', { rented: `'yes'` }],
    ['a state as a number', { rented: '1::TINYINT' }],
    ['memory as a double', { ram: '24564.0::DOUBLE' }],
  ])('gives the observation of a CSV from %s', async (_, values) => {
    expect(await observe(await write(rowOf(values)))).toMatchObject([usual])
  })

  it('has unknown values where its values are null, and their rows keep the others', async () => {
    const nulls = { rented: 'NULL::BOOLEAN', ram: 'NULL::INTEGER', n: 'NULL::INTEGER', host: 'NULL::VARCHAR' }
    const file = await write(`${rowOf()} UNION ALL ${rowOf(nulls)}`)
    expect(await observe(file)).toMatchObject([
      usual,
      { ...usual, num_gpus: 1, gpus: 1, rented: false, gpu_ram: null },
    ])
  })

  it.each<[string, Record<string, string>, string]>([
    ['without a time', { ts: 'NULL::TIMESTAMP' }, 'slot is missing'],
    ['of 1969', { ts: `TIMESTAMP '1969-12-31 23:00:00'` }, 'slot is before 1970'],
    ['with a number of milliseconds', { ts: `${slot}000::BIGINT` }, 'slot is in milliseconds'],
    ['with a list', { id: '[1, 2]' }, 'machine_id is not a plain value'],
    ['with a structure', { gpu: `{'name': 'A100'}` }, 'gpu_name is not a plain value'],
    ['with a price that is not a number', { usd: `'nan'::DOUBLE` }, 'price is not a price'],
    ['with an infinite price', { usd: `'inf'::DOUBLE` }, 'price is not a price'],
    ['with a negative price', { usd: '-0.35' }, 'price is not a price'],
    ['with a quarter of a GPU', { n: '0.25' }, 'num_gpus is not a number of GPUs'],
    ['with bytes for a name', { gpu: `'\\x00\\xFF'::BLOB` }, 'gpu_name is not the name of a GPU'],
    ['with an interval for a time', { ts: `'{"a": 1}'::JSON` }, 'slot is neither unix seconds'],
  ])('rejects a row %s', async (_, values, reason) => {
    expect(await observe(await write(rowOf(values)))).toEqual([expect.stringContaining(reason)])
  })

  it('is read row group by row group, and its bytes are counted once', async () => {
    const query = 'SELECT range AS place FROM range(10000)'
    const file = await write(query, ', ROW_GROUP_SIZE 2048')
    const bytes: Buffer[] = []
    const rows = await read(file, ['place'], (chunk) => bytes.push(chunk))
    expect(rows.map(({ fields }) => fields?.place)).toEqual(
      Array.from({ length: 10_000 }, (_, row) => BigInt(row)),
    )
    expect(Buffer.concat(bytes)).toEqual(readFileSync(file))
  })

  it('has no rows where it has none', async () => {
    expect(await read(await write(`${rowOf()} LIMIT 0`), format.columns)).toEqual([])
  })

  it('names a missing column and the columns that are there', async () => {
    const file = await write('SELECT 1 AS ts, 2 AS usd')
    await expect(read(file, ['ts', 'gpu'])).rejects.toThrow(
      `${file}: there is no column gpu. The columns are: ts, usd`,
    )
  })
})

describe('a damaged Parquet file', () => {
  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['ends too early', (bytes) => bytes.subarray(0, bytes.length - 7)],
    ['has only its first bytes', (bytes) => bytes.subarray(0, 4)],
    ['is cut in half', (bytes) => bytes.subarray(0, bytes.length / 2)],
    [
      'has a footer without sense',
      (bytes) => Buffer.concat([bytes.subarray(0, -300), Buffer.alloc(292, 0xab), bytes.subarray(-8)]),
    ],
    ['has a footer that is longer than it', (bytes) => withFooter(bytes, 0x7fff_ffff)],
    ['has a footer of no bytes', (bytes) => withFooter(bytes, 0)],
    [
      'has pages of zeros',
      (bytes) => Buffer.concat([bytes.subarray(0, 4), Buffer.alloc(2000), bytes.subarray(2004)]),
    ],
    [
      'has pages of ones',
      (bytes) => Buffer.concat([bytes.subarray(0, 4), Buffer.alloc(2000, 0xff), bytes.subarray(2004)]),
    ],
  ])('is refused with a sentence that names it when it %s', async (_, damage) => {
    const query = `SELECT range AS place, md5(range::VARCHAR) AS id FROM range(3000)`
    const file = await write(query, ', COMPRESSION zstd')
    writeFileSync(file, damage(readFileSync(file)))
    await expect(read(file, ['place'])).rejects.toThrow(`${file}: the Parquet data cannot be read: `)
  })
})

function withFooter(bytes: Buffer, length: number): Buffer {
  const changed = Buffer.from(bytes)
  changed.writeUInt32LE(length, bytes.length - 8)
  return changed
}
