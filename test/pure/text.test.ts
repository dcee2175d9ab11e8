import { describe, expect, it } from 'vitest'
import { isStorable, readStorable, storable } from '../../platform/text.ts'

describe('a text that can be stored stays as it is', () => {
  it.each([
    '',
    'RTX 4090',
    'é',
    'e\u0301',
    '１２３',
    '😀',
    '𠮷野家',
    '👩‍👩‍👧',
    '\u202e',
    '\ufffe',
    '\x07',
    'a\tb\n',
  ])('%j', (text) => {
    expect(isStorable(text)).toBe(true)
    expect(storable(text)).toBe(text)
    expect(readStorable(JSON.stringify({ text: [text] }))).toEqual({ text: [text] })
  })
})

describe('a character that cannot be stored is replaced', () => {
  it.each([
    ['\0', '\ufffd'],
    ['RTX\0 4090', 'RTX\ufffd 4090'],
    ['\ud800', '\ufffd'],
    ['\udfff', '\ufffd'],
    ['\udfff\ud800', '\ufffd\ufffd'],
    ['😀\ud83d', '😀\ufffd'],
    ['\ude00😀', '\ufffd😀'],
    ['\ud83d\0\ude00', '\ufffd\ufffd\ufffd'],
    ['\0\0', '\ufffd\ufffd'],
    ['D R \udbff x', 'D R \ufffd x'],
  ])('%j', (text, stored) => {
    expect(isStorable(text)).toBe(false)
    expect(storable(text)).toBe(stored)
    expect(readStorable(JSON.stringify([{ name: text }]))).toEqual([{ name: stored }])
  })
})

it('pairs of escapes in JSON stay one character', () => {
  expect(readStorable('["\\ud83d\\ude00", "\\u0000"]')).toEqual(['😀', '\ufffd'])
})
