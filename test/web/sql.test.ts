import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SqlChart } from '../../contract/dashboards.ts'
import { createTurns } from '../../web/sql/dashboards/turns.ts'
import { spanOf } from '../../web/sql/editor/failure.ts'
import { formatted } from '../../web/sql/editor/formatting.ts'
import { titleOf } from '../../web/sql/editor/query-tabs.ts'
import { examples } from '../../web/sql/panels/examples.ts'
import { takesEmpty, valueGiven } from '../../web/sql/parameters.ts'
import { changed, chartFor } from '../../web/sql/result/chart-choice.ts'
import { pictureOf } from '../../web/sql/result/chart-of.ts'
import { type ResultFilter, rowsWithin } from '../../web/sql/result/filter.ts'
import { placeAfter } from '../../web/sql/result/grid-keyboard.ts'
import { sortRows } from '../../web/sql/result/sort.ts'
import { withMissing } from '../../web/sql/result/steps.ts'
import { fractionOf, kindOf, tsvOf } from '../../web/sql/result/values.ts'
import { type Column, mostRows, noAnswer, type Row, takeLines } from '../../web/sql/run/answer.ts'

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

describe('the position of an error in a statement', () => {
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

  it('compares by type, null last', () => {
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
  /** The picture of the suggested chart, with changes of the suggestion. */
  const drawn = (columns: Column[], rows: Row[], changes: Partial<SqlChart> = {}) => {
    const chart = chartFor(undefined, columns)
    return chart && pictureOf(columns, rows, changed(chart, changes, columns))
  }
  const specOf = (...given: Parameters<typeof drawn>) => {
    const picture = drawn(...given)
    if (!picture || !('spec' in picture)) throw new Error(JSON.stringify(picture))
    return picture.spec
  }

  it('has a line per column of numbers, in the order of time', () => {
    const rows = [
      ['2026-01-01T01:00:00Z', 2, null],
      ['2026-01-01T00:00:00Z', 1, 5],
    ]
    expect(specOf([time, column('a', 'UInt8'), column('b', 'Nullable(Float64)')], rows)).toMatchObject({
      places: [1767225600, 1767229200],
      series: [
        { label: 'a', values: [1, 2] },
        { label: 'b', values: [5, null] },
      ],
    })
  })

  it('has a line per name, eight at most, and per column of it', () => {
    const rows = Array.from({ length: 20 }, (_, n) => [`2026-01-0${1 + (n % 2)}`, `name ${n >> 1}`, n, n])
    const columns = [column('d', 'Date'), column('who', 'String'), column('n', 'UInt8'), column('m', 'UInt8')]
    const spec = specOf(columns, rows)
    expect(spec).toMatchObject({ title: 'n', note: '8 of 10: who.', daily: true })
    expect(spec.series).toHaveLength(8)
    expect(
      specOf(columns, rows, { y: ['n', 'm'] })
        .series.map(({ label }) => label)
        .slice(0, 3),
    ).toEqual(['name 0, n', 'name 0, m', 'name 1, n'])
  })

  it('does not draw across times that are missing', () => {
    const rows = [0, 1, 4].map((hour) => [`2026-01-01T0${hour}:00:00Z`, hour])
    const { places, series } = specOf([time, column('n', 'UInt8')], rows)
    expect(places.map((place) => (place - 1767225600) / 3600)).toEqual([0, 1, 2, 3, 4])
    expect(series[0]?.values).toEqual([0, 1, null, null, 4])
  })

  it('warns where it would show one of several figures for all', () => {
    const columns = [time, column('n', 'UInt8'), column('m', 'UInt8')]
    const rows = [
      ['2026-01-01', 1, 7],
      ['2026-01-01', 2, 8],
    ]
    expect(drawn(columns, rows)).toEqual({
      problem: 'Several rows have the same t. Choose a column under “A line for each”, or draw points.',
    })
    expect(specOf(columns, rows, { kind: 'points', y: ['n'] })).toMatchObject({
      places: [1767225600, 1767225600],
      series: [{ role: 'points', values: [1, 2] }],
    })
    expect(specOf(columns, rows, { by: 'm', y: ['n'] }).series).toHaveLength(2)
  })

  it('reads a time without an offset as UTC', () => {
    expect(specOf([time, column('n', 'UInt8')], [['2026-03-08 02:00:00', 1]]).places).toEqual([
      Date.UTC(2026, 2, 8, 2) / 1000,
    ])
  })

  it('has points for two figures, ordered along the first, without missing ones', () => {
    const rows = [
      [3, 30],
      [1, 10],
      [null, 5],
      [1, 'nan'],
    ]
    expect(specOf([column('a', 'Nullable(UInt8)'), column('b', 'Float64')], rows)).toMatchObject({
      axis: 'number',
      title: 'b by a',
      places: [1, 1, 3],
      series: [{ values: [10, null, 30] }],
    })
  })

  it('has no bar where there is no figure', () => {
    const picture = drawn(
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
    expect(drawn([column('n', 'UInt8'), column('who', 'String')], [[1, 'x']])).toMatchObject({
      bars: { label: 'who', unit: 'n', total: 1, bars: [{ name: 'x', value: 1 }] },
    })
    expect(drawn([column('a', 'String')], [['x']])).toBeUndefined()
    expect(drawn([column('n', 'UInt8')], [[1]])).toBeUndefined()
    expect(drawn([time, column('n', 'UInt8')], [])).toEqual({ problem: 'There are no rows to draw.' })
  })

  it('keeps what was chosen for results that have its columns', () => {
    const chosen: SqlChart = { kind: 'points', x: 'a', y: ['b'], by: null }
    const columns = [time, column('a', 'UInt8'), column('b', 'UInt8')]
    expect(chartFor(chosen, columns)).toBe(chosen)
    expect(chartFor(chosen, columns.slice(0, 2))).toMatchObject({ kind: 'line', x: 't', y: ['a'] })
    expect(chartFor({ ...chosen, kind: 'line', x: 'c' }, [...columns, column('c', 'String')])?.x).toBe('t')
    expect(changed({ ...chosen, x: 'c', kind: 'bars' }, { kind: 'line' }, columns).x).toBe('t')
  })
})

describe('missing times', () => {
  const at = (...dates: string[]) => dates.map((date) => Date.parse(date) / 1000)
  const filled = (...dates: string[]) =>
    withMissing(at(...dates)).map((time) => new Date(time * 1000).toISOString().slice(0, 10))

  it('are found by the step, also of months, quarters and years', () => {
    expect(withMissing([])).toEqual([])
    expect(withMissing([5])).toEqual([5])
    expect(withMissing([0, 300, 1200])).toEqual([0, 300, 600, 900, 1200])
    expect(filled('2026-01-01', '2026-02-01', '2026-04-01')).toEqual([
      '2026-01-01',
      '2026-02-01',
      '2026-03-01',
      '2026-04-01',
    ])
    expect(filled('2025-07-01', '2025-10-01', '2026-04-01')[2]).toBe('2026-01-01')
    expect(filled('2023-01-01', '2024-01-01', '2026-01-01')).toHaveLength(4)
    expect(filled('2026-02-27', '2026-02-28', '2026-03-02')).toContain('2026-03-01')
  })

  it('are none where there is no regular step, and never more than a picture holds', () => {
    expect(withMissing([0, 200, 500])).toEqual([0, 200, 500])
    expect(withMissing([0, 1, 1_000_000_000])).toHaveLength(3)
    expect(withMissing(Array.from({ length: 100_000 }, (_, n) => n * 6))).toHaveLength(100_000)
  })

  it('are filled in so that all steps are equal and nothing is lost', () => {
    const steps = fc.uniqueArray(fc.nat(300))
    fc.assert(
      fc.property(steps, fc.nat(4_000_000_000), fc.integer({ min: 1, max: 86_400 }), (some, begin, step) => {
        const times = [...some, 301, 302].sort((one, other) => one - other).map((n) => begin + n * step)
        const filled = withMissing(times)
        expect(times.every((time) => filled.includes(time))).toBe(true)
        expect(new Set(filled.slice(1).map((time, index) => time - (filled[index] ?? 0))).size).toBe(1)
      }),
    )
  })
})

describe('filters', () => {
  const columns = [
    { name: 'gpu', type: 'LowCardinality(String)' },
    { name: 'n', type: 'Nullable(UInt64)' },
    { name: 't', type: 'DateTime' },
    { name: 'ok', type: 'Bool' },
  ]
  const rows = [
    ['RTX 4090', 9, '2026-01-01 00:00:00', true],
    ['RTX 5090', '18446744073709551615', '2026-01-02 00:00:00', false],
    ['', null, '2026-01-03 00:00:00', true],
  ]
  const within = (...filters: ResultFilter[]) => {
    const found = rowsWithin(rows, columns, filters)
    return found && [...found]
  }
  it.each<[ResultFilter, number[] | undefined]>([
    [{ column: 0, test: 'contains', value: '' }, undefined],
    [{ column: 0, test: 'contains', value: 'rtx' }, [0, 1]],
    [{ column: 0, test: 'is', value: 'RTX 4090' }, [0]],
    [{ column: 0, test: 'not', value: 'RTX 4090' }, [1, 2]],
    [{ column: 0, test: 'empty', value: '' }, [2]],
    [{ column: 1, test: 'is', value: '9.0' }, [0]],
    [{ column: 1, test: 'above', value: '18446744073709551614' }, [1]],
    [{ column: 1, test: 'below', value: '10' }, [0]],
    [{ column: 1, test: 'below', value: 'x' }, []],
    [{ column: 1, test: 'filled', value: '' }, [0, 1]],
    [{ column: 2, test: 'above', value: '2026-01-01 12' }, [1, 2]],
    [{ column: 3, test: 'is', value: 'True' }, [0, 2]],
  ])('%j', (filter, found) => expect(within(filter)).toEqual(found))

  it('are all passed, and sorting stays within them', () => {
    const two: ResultFilter[] = [
      { column: 0, test: 'contains', value: '90' },
      { column: 3, test: 'is', value: 'false' },
    ]
    expect(within(...two)).toEqual([1])
    const found = rowsWithin(rows, columns, [{ column: 3, test: 'is', value: 'true' }])
    expect([...sortRows(rows, { column: 2, descending: true }, 'time', found)]).toEqual([2, 0])
  })
})

it("a bounded number of a dashboard's statements run at a time, in order", async () => {
  const turns = createTurns(2)
  const begun: number[] = []
  const ends: (() => void)[] = []
  const works = [0, 1, 2, 3].map((n) =>
    turns(async () => {
      begun.push(n)
      await new Promise<void>((resolve, reject) =>
        ends.push(n === 1 ? () => reject(new Error('fails')) : resolve),
      )
    }).catch(() => {}),
  )
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  await settle()
  expect(begun).toEqual([0, 1])
  ends[1]?.()
  await settle()
  expect(begun).toEqual([0, 1, 2])
  ends[0]?.()
  ends[2]?.()
  await settle()
  expect(begun).toEqual([0, 1, 2, 3])
  ends[3]?.()
  await Promise.all(works)
})

it.each([
  ['1.25', 3],
  ['-0.5', 2],
  ['7', 0],
  ['1e-7', 0],
  [null, 0],
])('the part of %s behind the point is %d characters long', (value, length) =>
  expect(fractionOf(value)).toBe(length),
)

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

describe('formatting', () => {
  it('lays out a statement and changes only white space', () => {
    expect(formatted('select a,b from t where x={gpu:String} and y = 2')).toBe(
      'select\n  a,\n  b\nfrom\n  t\nwhere\n  x = {gpu:String}\n  and y = 2',
    )
  })

  it.each([
    'select quantileExactWeighted(0.5)(price, gpus), arrayMap(x -> x + 1, l)[1], t.1, n::UInt8 from u as t',
    "select 'it''s  \\' two  spaces' as `a b`, {'k': 1} -- why not;\nfrom numbers(3) limit 1 by a settings max_threads=1",
    ...examples.map(({ query }) => query),
  ])('keeps what stands together: %s', (query) => {
    const laidOut = formatted(query) ?? ''
    expect(laidOut.replace(/\s/g, '')).toBe(query.replace(/\s/g, ''))
    for (const together of query.match(/\w+(\([\d.]+\)\(|\.\d|::\w+)|\)\[|two {2}spaces/g) ?? [])
      expect(laidOut).toContain(together)
    expect(formatted(laidOut)).toBe(laidOut)
  })

  it('gives up on what it does not understand', () => {
    expect(formatted("select 'open")).toBeUndefined()
    expect(formatted('select (1')).toBeUndefined()
  })
})

it.each([
  ['-- Prices of today\nSELECT 1', 'Prices of today'],
  ['SELECT\n  toStartOfHour(slot) AS hour', 'SELECT toStartOfHour(slo…'],
  [' \n', 'Empty'],
])('the tab of %j is called %s', (text, title) => expect(titleOf(text)).toBe(title))

it.each([
  ['String', true, ''],
  ['LowCardinality(String)', true, ''],
  ['FixedString(3)', true, ''],
  ['Nullable(UInt8)', true, null],
  ['LowCardinality(Nullable(String))', true, null],
  ['UInt8', false, ''],
  ['Array(String)', false, ''],
  ['DateTime', false, ''],
  ['Identifier', false, ''],
])('an empty field for %s', (type, isValue, value) => {
  expect(takesEmpty(type)).toBe(isValue)
  expect(valueGiven('', type)).toBe(value)
})
