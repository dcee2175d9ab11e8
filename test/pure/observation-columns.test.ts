import { expect, it } from 'vitest'
import { termNames } from '../../contract/listing-terms.ts'
import { observationColumns } from '../../ingest/observation-columns.ts'
import { sqlFragments } from '../../platform/stores/sql-files.ts'

const textOf = (fragment: string) => sqlFragments.get(fragment) ?? ''

it('the fragments of SQL have the columns of an observation, in the order of a line', () => {
  const columns = textOf('observation_columns')
  expect(columns.split(',').map((name) => name.trim())).toEqual(observationColumns)
  const types = textOf('observation_types')
  const typed = [...types.matchAll(/(?<=^|,)\s*([a-z_]+) [A-Z]/g)].map(([, name]) => name)
  expect(['slot', ...typed]).toEqual(observationColumns)
})

it('the fragments of SQL have the terms of a listing, in their order', () => {
  expect([...textOf('term_names').matchAll(/'(\w+)'/g)].map(([, name]) => name)).toEqual(termNames)
  expect([...textOf('term_columns').matchAll(/ AS (\w+)/g)].map(([, name]) => name)).toEqual(termNames)
})
