import { expect, it } from 'vitest'
import { plain } from '../../src/market/market-query/plain.ts'

it.each([
  [0.1 + 0.2, 0.3],
  [0.13900000000000004, 0.139],
  [9.187499999999998, 9.1875],
  [2 / 3, 2 / 3],
  [-1.0000000000000002, -1],
  [0.004801930026, 0.004801930026],
  [1.004801930026, 1.004801930026],
  [123_456.123_456_789, 123_456.123_456_789],
  [1e-12, 1e-12],
  [4_102_444_800, 4_102_444_800],
  [0, 0],
])('plain turns %d into %d', (value, expected) => {
  expect(plain(value)).toBe(expected)
})

it('plain accepts any name, since a GPU may be named like a property of JavaScript', () => {
  const answer = JSON.parse('{"__proto__":{"price":0.30000000000000004},"constructor":1}')
  expect(JSON.stringify(plain(answer))).toBe('{"__proto__":{"price":0.3},"constructor":1}')
})

it('plain keeps the shape and everything that is no number', () => {
  const answer = { a: [1, null, { b: 0.1 + 0.2, c: 'x', d: true }], e: null, f: {}, g: undefined }
  expect(plain(answer)).toEqual({ a: [1, null, { b: 0.3, c: 'x', d: true }], e: null, f: {}, g: undefined })
})
