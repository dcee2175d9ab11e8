import { killedImport } from '../../properties/killed-import.ts'

// The statements of an import that change something, in order.
const stages = [
  ['reading the file', /INSERT INTO \{table:Identifier\}/],
  ['moving the rows', /INSERT INTO observations/],
  ['entering the slots', /INSERT INTO slots/],
  ['the price histogram', /INSERT INTO price_histogram/],
  ['the single slots', /rows of some steps from the observations[\s\S]*INSERT INTO cube/],
  ['the buckets', /rows of some steps of whole hours[\s\S]*INSERT INTO cube/],
  ['showing the slots', /INSERT INTO slots[\s\S]*SELECT[\s\S]*true/],
  ['leaving', /DROP TABLE/],
] as const

killedImport(stages, ['before', 'after'])
