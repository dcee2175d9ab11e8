import { describe, expect, it } from 'vitest'
import { rowsOfNames } from '../../web/charts/mark-rows.ts'

const at = (...places: number[]) => places.map((left) => ({ left, right: left + 50 }))

describe('names of marks', () => {
  it('stand in the first row while they do not meet', () =>
    expect(rowsOfNames(at(0, 60, 120), 6, 4)).toEqual([0, 0, 0]))

  it('stand below each other where they would meet', () =>
    expect(rowsOfNames(at(0, 10, 20, 60), 6, 4)).toEqual([0, 1, 2, 0]))

  it('keep a gap', () => expect(rowsOfNames(at(0, 53), 6, 4)).toEqual([0, 1]))

  it('never cover another, however many are near each other', () =>
    expect(rowsOfNames(at(0, 1, 2, 3, 4, 5, 6, 7), 6, 4)).toEqual([0, 1, 2, 3, 4, 5, undefined, undefined]))
})
