import { killedChange } from '../../properties/killed-change.ts'

// The statements of a removal that change something, in order.
const removal = [
  ['taking over the series', /INSERT INTO slots/],
  ['letting other rows count machines', /UPDATE machines = 1/],
  ['removing the rows', /DELETE FROM [^\n]*observations/],
  ['the price histogram', /INSERT INTO price_histogram/],
  ['the single slots', /rows of some steps from the observations[\s\S]*INSERT INTO cube/],
  ['the buckets', /rows of some steps of whole hours[\s\S]*INSERT INTO cube/],
] as const

const replacement = [
  ...removal,
  ['moving the rows', /INSERT INTO observations/],
  ['showing the slots', /INSERT INTO slots[\s\S]*SELECT[\s\S]*true/],
] as const

killedChange({ removal, replacement }, ['before', 'after'])
