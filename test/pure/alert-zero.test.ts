import { describe, expect, it } from 'vitest'
import { alertCondition, checkedCondition } from '../../contract/alert-conditions.ts'
import type { Filter, MarketFigure, SlotFigures } from '../../src/alerts/slot-figures.ts'
import { at, figure, interval, start, told } from '../alert-slots.ts'

const b200 = { kind: 'statistic', gpu_name: 'B200', verified: 'all', statistic: 'available_gpus', slots: 1 }
const statistic = (changes: object) => ({ ...b200, ...changes })

describe('a condition that can never be met', () => {
  it.each([
    ['a count below 0', { is: 'below', limit: 0 }, 'limit', 'a number of GPUs is at least 0'],
    ['a total below 0', { statistic: 'total_gpus', is: 'below', limit: 0 }, 'limit', 'at least 0'],
    ['a price below 0', { statistic: 'avail_p10', is: 'below', limit: 0 }, 'limit', 'a price is above 0'],
    ['a list price below 0', { statistic: 'list_price', is: 'below', limit: 0 }, 'limit', 'above 0'],
    ['an occupancy above 1', { statistic: 'occupancy', is: 'above', limit: 1 }, 'limit', 'between 0 and 1'],
    ['an occupancy in percent', { statistic: 'occupancy', is: 'above', limit: 80 }, 'limit', 'never fire'],
    ['an occupancy below 0', { statistic: 'occupancy', is: 'below', limit: 0 }, 'limit', 'between 0 and 1'],
    ['a fill rate below 0', { statistic: 'fill_rate', is: 'below', limit: 0 }, 'limit', 'above 0'],
    ['a price that falls by 100 %', { statistic: 'rented_median', is: 'falls', by: 100 }, 'by', 'above 0'],
    ['a fill rate that falls by 100 %', { statistic: 'fill_rate', is: 'falls', by: 100 }, 'by', 'above 0'],
    [
      'a price that clears at 0',
      { statistic: 'avail_p90', is: 'above', limit: 2, clears_at: 0 },
      'clears_at',
      'never resolve',
    ],
    [
      'an occupancy that clears above 1',
      { statistic: 'occupancy', is: 'below', limit: 0.5, clears_at: 60 },
      'clears_at',
      'never resolve',
    ],
    ['a negative price', { statistic: 'avail_median', is: 'below', limit: -1 }, 'limit', '0'],
  ])('is refused: %s', (_, changes, field, reason) => {
    const issues = checkedCondition.safeParse(statistic(changes)).error?.issues ?? []
    expect(issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
      [field, expect.stringContaining(reason)],
    ])
  })

  it.each([
    ['no GPU at all', { statistic: 'total_gpus', is: 'below', limit: 1 }],
    ['fewer than half a GPU', { is: 'below', limit: 0.5 }],
    ['any available GPU', { is: 'above', limit: 0 }],
    ['full occupancy', { statistic: 'occupancy', is: 'above', limit: 0.999 }],
    ['a price above 0', { statistic: 'avail_median', is: 'above', limit: 0 }],
    ['a count that falls by 100 %', { statistic: 'total_gpus', is: 'falls', by: 100 }],
    ['an occupancy that falls by 100 %', { statistic: 'occupancy', is: 'falls', by: 100 }],
    ['a price that falls by 99.9 %', { statistic: 'avail_median', is: 'falls', by: 99.9 }],
    ['a count that clears at 0', { is: 'above', limit: 3, clears_at: 0 }],
    ['an occupancy that clears at 1', { statistic: 'occupancy', is: 'below', limit: 0.5, clears_at: 1 }],
  ])('is not: %s', (_, changes) => {
    expect(checkedCondition.safeParse(statistic(changes)).success).toBe(true)
  })
})

/** A slot of a whole market: the sizes of memory in which the GPU name is known, and the rows of the name. */
const whole = (rows: Partial<MarketFigure>[], memory: readonly number[] = [192]): Partial<SlotFigures> => ({
  sizesOf: (name) => (name === 'B200' ? memory : undefined),
  market: ({ gpu_memory }: Filter) => rows.map(figure).find((row) => row.gpu_memory === gpu_memory),
})
const fired = (condition: object, slot: Partial<SlotFigures>) =>
  told(alertCondition.parse(statistic({ is: 'below', limit: 1, ...condition })), [at(start, slot)]).length

describe('a count of a GPU name that is gone', () => {
  it.each([
    ['available GPUs', {}, whole([]), 1],
    ['all GPUs', { statistic: 'total_gpus' }, whole([]), 1],
    ['GPUs of one size of memory', { gpu_memory: 192 }, whole([]), 1],
    ['rigs of a size', { num_gpus: 8 }, whole([]), 1],
    [
      'GPUs of a size of memory, while another size is there',
      { gpu_memory: 80 },
      whole([{ total_gpus: 9 }, { gpu_memory: 40, total_gpus: 9 }], [40, 80]),
      1,
    ],
    [
      'GPUs of a size of memory, while two other sizes are there',
      { gpu_memory: 94 },
      whole(
        [{ total_gpus: 9 }, { gpu_memory: 80, total_gpus: 4 }, { gpu_memory: 96, total_gpus: 5 }],
        [80, 94, 96],
      ),
      1,
    ],
    [
      'GPUs of a size of memory, while the size of some is unknown',
      { gpu_memory: 80 },
      whole([{ total_gpus: 9 }, { gpu_memory: 40, total_gpus: 8 }], [40, 80]),
      0,
    ],
    ['GPUs of a name that the market never had', { gpu_name: 'B2000' }, whole([]), 0],
    ['GPUs in a slot that need not have all machines', {}, { market: () => undefined }, 0],
    ['the median price', { statistic: 'avail_median' }, whole([]), 0],
    ['the occupancy', { statistic: 'occupancy', is: 'below', limit: 0.5 }, whole([]), 0],
    ['the fill rate', { statistic: 'fill_rate' }, whole([]), 0],
    ['GPUs that are there', { limit: 3 }, whole([{ available_gpus: 3 }]), 0],
    ['GPUs that are all rented', {}, whole([{ available_gpus: 0 }]), 1],
  ])('is 0 or unknown: %s', (_, condition, slot, messages) => {
    expect(fired(condition, slot)).toBe(messages)
  })

  it('is a fall by 100 %, and resolves when the name is back', () => {
    const condition = alertCondition.parse(
      statistic({ statistic: 'total_gpus', is: 'falls', by: 100, within_hours: 1 }),
    )
    const ago = () => whole([{ total_gpus: 8 }]) as SlotFigures
    const slots = [whole([]), whole([{ total_gpus: 2 }])]
    expect(
      told(
        condition,
        slots.map((slot, n) => at(start + n * interval, { ...slot, ago })),
      ),
    ).toEqual([
      '0 fired: B200: the number of GPUs on the market is 0, down 100 % in 1 hour (from 8).',
      '1 resolved: B200: the number of GPUs on the market is 2, no longer down 100 % in 1 hour (from 8).',
    ])
  })
})
