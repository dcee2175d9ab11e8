import { expect, it } from 'vitest'
import { sqlFragments, sqlNames } from '../../platform/stores/sql-files.ts'
import { sqlTexts } from '../../sql/texts.ts'

const fragment = (name: string) => sqlFragments.get(name) ?? ''

it('price_columns names each percentile of price_percentiles at its position', () => {
  const percentiles = fragment('price_percentiles').split(',').map(Number)
  const names = percentiles.map((percentile) => (percentile === 0.5 ? 'median' : `p${percentile * 100}`))
  const columns = [...fragment('price_columns').matchAll(/(\w+)_prices\[(\d+)\]\) AS (\w+)/g)]
  expect(columns.map(([, state, position, column]) => `${state} ${position} ${column}`)).toEqual(
    ['rented', 'avail'].flatMap((state) =>
      names.map((name, index) => `${state} ${index + 1} ${state}_${name}`),
    ),
  )
})

// A percentile that is inserted in the list shifts the positions of all percentiles after it.
it('views and queries read percentiles by their names', () => {
  const positional = [...sqlTexts]
    .filter(([name]) => !name.includes('/fragments/') && !name.includes('/migrations/'))
    .filter(([, text]) => /_prices\[/.test(text))
  expect(positional.map(([name]) => name)).toEqual([])
  expect(sqlNames('clickhouse/views')).toContain('clickhouse/views/slot_rows')
})
