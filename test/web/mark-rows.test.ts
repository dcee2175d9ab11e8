import { describe, expect, it } from 'vitest'
import { placedNames } from '../../web/charts/mark-rows.ts'

const at = (...places: number[]) => places.map((place) => ({ at: place, width: 50 }))
/** The extent of each name, with its line and its row. */
const drawn = (names: ReturnType<typeof at>, to = 500) =>
  placedNames(names, 0, to, 4).map(({ isLeft, row }, index) => {
    const { at: line, width } = names[index] ?? { at: 0, width: 0 }
    const left = isLeft ? line - 4 - width : line + 4
    return { line, row, left, right: left + width }
  })

describe('names of marks', () => {
  it('are neither crossed by lines nor overlap, however near the lines are', () => {
    for (const names of [at(200, 203, 206), at(200, 201, 202, 203), at(70, 250, 252)]) {
      const all = drawn(names)
      for (const one of all)
        for (const other of all.filter((each) => each !== one)) {
          const isCrossed = other.row <= one.row && other.line > one.left && other.line < one.right
          const isOver = other.row === one.row && other.left < one.right && other.right > one.left
          expect(isCrossed || isOver).toBe(false)
        }
    }
  })

  it('stand between the ends', () => {
    expect(drawn(at(10, 12, 14)).every(({ left }) => left >= 0)).toBe(true)
    expect(drawn(at(480, 482, 484)).every(({ right }) => right <= 500)).toBe(true)
  })

  it('need few rows', () => {
    expect(placedNames(at(200, 203, 206), 0, 500, 4).map(({ row }) => row)).toEqual([0, 0, 1])
    expect(placedNames(at(200), 0, 500, 4)).toMatchObject([{ isLeft: false, row: 0 }])
  })
})
