import { describe, expect, it } from 'vitest'
import { spanOf } from '../../web/sql/editor/failure.ts'
import { pictureOf } from '../../web/sql/result/chart-of.ts'
import { placeAfter } from '../../web/sql/result/grid-keyboard.ts'
import { sortRows } from '../../web/sql/result/sort.ts'
import { kindOf, tsvOf } from '../../web/sql/result/values.ts'
import { mostRows, noAnswer, takeLines } from '../../web/sql/run/answer.ts'

const answerOf = (...lines: string[]) => {
  const answer = noAnswer()
  takeLines(answer, lines)
  return answer
}

describe('an answer', () => {
  it('is read line by line', () => {
    expect(
      answerOf(
        '{"progress":{"read_rows":"3","read_bytes":"24","total_rows_to_read":"30"}}',
        '{"meta":[{"name":"a","type":"UInt8"}]}',
        '{"row":[1]}',
        '{"totals":[1]}',
        '{"rows_before_limit_at_least":2}',
        '{"exception":"late"}',
      ),
    ).toMatchObject({
      columns: [{ name: 'a', type: 'UInt8' }],
      rows: [[1]],
      totals: [1],
      progress: { rows: 3, bytes: 24, total: 30 },
      exception: 'late',
      text: undefined,
    })
  })

  it('in another format is text', () => {
    expect(answerOf('"a"', '1', '{"row": 2}')).toMatchObject({ text: '"a"\n1\n{"row": 2}', rows: [] })
    expect(answerOf('"a"', '{"exception":"late"}')).toMatchObject({ text: '"a"', exception: 'late' })
    expect(answerOf('{', '  "meta": [', ']}').text).toBe('{\n  "meta": [\n]}')
    expect(answerOf('{"meta":[]}', '{"row":[1, "cut')).toMatchObject({ rows: [] })
  })

  it('ends at the most rows that are kept', () => {
    const answer = answerOf('{"meta":[{"name":"a","type":"UInt8"}]}')
    takeLines(answer, Array(mostRows).fill('{"row":[1]}'))
    expect(answer.isCut).toBe(false)
    takeLines(answer, ['{"row":[1]}', '{"row":[1]}'])
    expect([answer.isCut, answer.rows.length]).toEqual([true, mostRows])
  })
})

describe('where a statement is wrong', () => {
  it.each([
    [{ message: 'Syntax error', position: 12 }, 'SELECT 1,, 2', '2'],
    [{ message: 'Syntax error', position: 22 }, "SELECT 'é€😀',, wrong", 'wrong'],
    [{ message: 'Syntax error: end of query', position: 99 }, 'SELECT (', '('],
    [{ message: 'Unknown expression identifier `nope` in …', position: undefined }, 'SELECT nope', 'nope'],
    [{ message: "Unknown table expression identifier 'x'", position: undefined }, 'SELECT axe FROM x', 'x'],
    [{ message: 'Memory limit exceeded', position: undefined }, 'SELECT 1', undefined],
  ])('%j', (failure, sent, marked) => {
    const span = spanOf(failure, sent)
    expect(span && sent.slice(span.from, span.to)).toBe(marked)
  })
})

describe('sorting', () => {
  const sorted = (values: unknown[], type: string, descending = false) =>
    [
      ...sortRows(
        values.map((value) => [value]),
        { column: 0, descending },
        kindOf(type),
      ),
    ].map((index) => values[index])

  it('compares as the type says, nothing last', () => {
    expect(sorted([10, null, '18446744073709551615', 9, '18446744073709551614'], 'UInt64')).toEqual([
      9,
      10,
      '18446744073709551614',
      '18446744073709551615',
      null,
    ])
    expect(sorted([1.5, '0.12345678901234567', null, -2], 'Nullable(Decimal(38, 20))', true)).toEqual([
      1.5,
      '0.12345678901234567',
      -2,
      null,
    ])
    expect(sorted(['10', '9', 'a'], 'LowCardinality(String)')).toEqual(['10', '9', 'a'])
    expect(sorted([true, false], 'Bool')).toEqual([false, true])
  })
})

describe('a picture of a result', () => {
  const column = (name: string, type: string) => ({ name, type })
  const time = column('t', "DateTime('UTC')")

  it('has a line per column of numbers, in the order of time', () => {
    const rows = [
      ['2026-01-01T01:00:00Z', 2, null],
      ['2026-01-01T00:00:00Z', 1, 5],
    ]
    expect(pictureOf([time, column('a', 'UInt8'), column('b', 'Nullable(Float64)')], rows)).toMatchObject({
      spec: {
        places: [1767225600, 1767229200],
        series: [
          { label: 'a', values: [1, 2] },
          { label: 'b', values: [5, null] },
        ],
      },
    })
  })

  it('has a line per name, eight at most', () => {
    const rows = Array.from({ length: 20 }, (_, n) => [`2026-01-0${1 + (n % 2)}`, `name ${n >> 1}`, n])
    const picture = pictureOf([column('d', 'Date'), column('who', 'String'), column('n', 'UInt8')], rows)
    expect(picture).toMatchObject({ spec: { title: 'n', note: '8 of 10: who.' } })
    expect(picture && 'spec' in picture && picture.spec.series).toHaveLength(8)
  })

  it('is not one where it would show one of several figures for all', () => {
    expect(
      pictureOf(
        [time, column('n', 'UInt8')],
        [
          ['2026-01-01', 1],
          ['2026-01-01', 2],
        ],
      ),
    ).toBeUndefined()
  })

  it('reads a time without an offset as UTC', () => {
    const picture = pictureOf([time, column('n', 'UInt8')], [['2026-03-08 02:00:00', 1]])
    expect(picture && 'spec' in picture && picture.spec.places).toEqual([Date.UTC(2026, 2, 8, 2) / 1000])
  })

  it('has no bar where there is no figure', () => {
    const picture = pictureOf(
      [column('who', 'String'), column('n', 'Float64')],
      [
        ['x', null],
        ['y', 'nan'],
        ['z', '-inf'],
      ],
    )
    expect(picture).toMatchObject({
      bars: { bars: [{ value: null }, { value: null }, { value: Number.NEGATIVE_INFINITY }] },
    })
  })

  it('has bars by name, or there is none', () => {
    expect(pictureOf([column('n', 'UInt8'), column('who', 'String')], [[1, 'x']])).toMatchObject({
      bars: { label: 'who', unit: 'n', total: 1, bars: [{ name: 'x', value: 1 }] },
    })
    expect(pictureOf([column('a', 'String')], [['x']])).toBeUndefined()
    expect(
      pictureOf([time, column('a', 'Array(UInt8)'), column('n', 'UInt8')], [['', [], 1]]),
    ).toBeUndefined()
    expect(pictureOf([column('n', 'UInt8')], [])).toBeUndefined()
  })
})

it('text for spreadsheets keeps its cells apart', () => {
  const rows = [
    ['x\ty', null],
    ['say "hi"', [1, 2]],
  ]
  expect(tsvOf([{ name: 'a' }, { name: 'b' }], rows)).toBe('a\tb\n"x\ty"\t\n"say ""hi"""\t[1,2]')
})

it.each([
  ['ArrowDown', {}, { row: 0, column: 1 }],
  ['ArrowUp', {}, { row: -1, column: 1 }],
  ['End', { ctrlKey: true }, { row: 9, column: 2 }],
  ['PageDown', {}, { row: 4, column: 1 }],
  ['x', {}, undefined],
])('the key %s %j leads on', (key, modifiers, place) => {
  const event = { key, ctrlKey: false, metaKey: false, ...modifiers } as KeyboardEvent
  expect(placeAfter(event, { row: -1, column: 1 }, { rows: 10, columns: 3, page: 5 })).toEqual(place)
})
