import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FileRecord } from '../../import/record.ts'
import { kindOf, readRecords, sizeOf } from '../../import/records.ts'

let dir = ''
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'rackrate-import-'))
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

let files = 0
async function read(content: string | Buffer, columns: string[] = []): Promise<FileRecord[]> {
  files += 1
  const file = join(dir, `file-${files}`)
  writeFileSync(file, content)
  const records: FileRecord[] = []
  for await (const batch of readRecords(file, columns)) records.push(...batch)
  return records
}

describe('CSV', () => {
  it('has fields by its heading and the line that each row begins on', async () => {
    const csv =
      '\uFEFFts, gpu ,note\r\n1,"RTX 4090","two\r\nlines, and a "" quote"\r\n\r\n2,A100,x\r\n3,T4,"y"\r\n'
    expect(await read(csv, ['ts', 'gpu'])).toEqual([
      { line: 2, fields: { ts: '1', gpu: 'RTX 4090', note: 'two\r\nlines, and a " quote' } },
      { line: 5, fields: { ts: '2', gpu: 'A100', note: 'x' } },
      { line: 6, fields: { ts: '3', gpu: 'T4', note: 'y' } },
    ])
  })
  it('may mix line ends and lack the last one', async () => {
    const records = await read('a,b\n1,2\r\n3,4\n5,6')
    expect(records.map(({ line, fields }) => [line, fields?.a, fields?.b])).toEqual([
      [2, '1', '2'],
      [3, '3', '4'],
      [4, '5', '6'],
    ])
  })
  it('gives rows with too few or many fields a reason', async () => {
    expect(await read('a,b\n1\n1,2,3\n1,2\n')).toEqual([
      { line: 2, fields: undefined, problem: '1 fields where the heading has 2' },
      { line: 3, fields: undefined, problem: '3 fields where the heading has 2' },
      { line: 4, fields: { a: '1', b: '2' } },
    ])
  })
  it('keeps a stray quote in its row', async () => {
    const records = await read('a,b\n1,5" disk\n2,x\n')
    expect(records.map(({ fields }) => fields?.b)).toEqual(['5" disk', 'x'])
  })
  it.each([
    ['a missing column', 'a,b\n1,2\n', 'there is no column ts. The columns are: a, b'],
    ['a column twice', 'ts,a,ts\n1,2,3\n', 'the column ts is there twice.'],
    ['an open quote', 'ts\n1\n"2\n3\n', 'a quote in row 3 (the heading is row 1) is never closed.'],
    [
      'a row without end',
      `ts\n1\n"${'x\n'.repeat(1_000_000)}`,
      'row 3 (the heading is row 1) is longer than',
    ],
    [
      'Parquet in gzip',
      gzipSync('PAR1\u0015\u0004'),
      'This is Parquet. It is read from a file that is not gzipped',
    ],
    ['a binary', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2]), 'This is not UTF-8 text.'],
    ['noise', Buffer.from([0xff, 0xfe, 0x80, 0x0a, 0x99]), 'there is no column ts.'],
  ])('is refused with %s', async (_, content, message) => {
    await expect(read(content, ['ts'])).rejects.toThrow(message)
  })
})

describe('JSON', () => {
  it('Lines are distinguished from a document', () => {
    const kind = (text: string) => kindOf(Buffer.from(text))
    expect(kind('{"a":1}\n{"a":2}\n')).toBe('lines')
    expect(kind('{"a":{"b":[1]}}')).toBe('lines')
    expect(kind('{"a":1,}\n{"a":2}\n')).toBe('lines')
    expect(kind('{\n "offers": []\n}')).toBe('document')
    expect(kind('{"captured_at_utc":1,"offers":[{}]}')).toBe('document')
    expect(kind('[{"a":1}]')).toBe('document')
    expect(kind('\uFEFF a,b\n')).toBe('csv')
    expect(kind(' \n\n')).toBe('empty')
  })
  it('Lines: bad ones have a reason', async () => {
    expect(await read('{"a":1}\n\nnope\n[1]\n{"a":2}', ['a'])).toEqual([
      { line: 1, fields: { a: 1 } },
      { line: 3, fields: undefined, problem: 'not a JSON object' },
      { line: 4, fields: undefined, problem: 'not a JSON object' },
      { line: 5, fields: { a: 2 } },
    ])
  })
  it('Lines: characters are whole wherever the file is cut into pieces', async () => {
    const line = `{"a":"${'é€🙂'.repeat(3000)}"}\n`
    const records = await read(line.repeat(20))
    expect(new Set(records.map(({ fields }) => fields?.a))).toEqual(new Set(['é€🙂'.repeat(3000)]))
  })
  it('Lines: a field that no line has is a slip in the mapping', async () => {
    await expect(read('{"a":1}\n{"b":1}\n', ['a', 'c'])).rejects.toThrow('no line has a field c.')
  })
  it('documents give their members to each offer', async () => {
    expect(await read('{"at": 5,\n "offers": [{"id": 1}, 7, {"id": 2, "at": 6}]}')).toEqual([
      { line: 1, fields: { at: 5, id: 1 } },
      { line: 2, fields: undefined, problem: 'not a JSON object' },
      { line: 3, fields: { at: 6, id: 2 } },
    ])
  })
  it.each([
    [
      'a line without end',
      `{"a":1}\n{"a":"${'x'.repeat(2_000_000)}`,
      'line 2 is longer than 1000000 characters.',
    ],
    ['no offers', '{\n"a": 1\n}', 'the JSON document has no list of offers.'],
    ['half a document', '{\n"offers": [', 'this is neither CSV, JSON Lines nor a JSON document'],
  ])('are refused with %s', async (_, content, message) => {
    await expect(read(content)).rejects.toThrow(message)
  })
})

describe('any file', () => {
  const csv = `ts\n${'1670005166\n'.repeat(50_000)}`
  it('may be gzipped, in members too', async () => {
    expect(await read(gzipSync(csv), ['ts'])).toHaveLength(50_000)
    expect(await read(Buffer.concat([gzipSync('ts\n1\n'), gzipSync('2\n')]))).toHaveLength(2)
  })
  it('has no records if it is empty', async () => {
    expect(await read('', ['ts'])).toEqual([])
    expect(await read(gzipSync(''), ['ts'])).toEqual([])
    expect(await read('ts\n', ['ts'])).toEqual([])
  })
  it('is refused with its name if it is damaged', async () => {
    const packed = gzipSync(csv)
    await expect(read(packed.subarray(0, packed.length / 2))).rejects.toThrow('the gzip data ends too early.')
    await expect(read(packed.subarray(0, 5))).rejects.toThrow(`file-${files}: the gzip data`)
    const damaged = Buffer.from(packed).fill(0x55, 20, 60)
    await expect(read(damaged)).rejects.toThrow('the gzip data is damaged.')
  })
  it('must be there and be a file', async () => {
    await expect(sizeOf(join(dir, 'none'))).rejects.toThrow('none: no such file.')
    await expect(sizeOf(dir)).rejects.toThrow(`${dir} is a directory.`)
  })
  it('is refused without being held if it has one line of 100 MB', async () => {
    const huge = gzipSync(Buffer.alloc(100_000_000, 'x'))
    const before = process.memoryUsage().arrayBuffers
    await expect(read(huge, ['ts'])).rejects.toThrow('longer than 1000000 characters')
    await expect(read(Buffer.concat([gzipSync('{"offers":"'), huge]))).rejects.toThrow('more than 64 MB')
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(150_000_000)
  })
})
