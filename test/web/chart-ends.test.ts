import { expect, it } from 'vitest'
import { spread } from '../../web/charts/ends.ts'

it('labels at the ends of lines keep their distance within the plot', () => {
  const room = { from: 0, to: 100, apart: 15 }
  expect(spread([10, 50, 90], room)).toEqual([10, 50, 90])
  expect(spread([10, 12, 13], room)).toEqual([10, 25, 40])
  expect(spread([95, 97, 99], room)).toEqual([70, 85, 100])
})
