import { emptied, previousSchema } from '../../previous-release.ts'
import { killedMigrate } from '../../properties/killed-migrate.ts'

killedMigrate(
  [emptied, previousSchema],
  ['before', 'after'],
  [
    /CREATE TABLE IF NOT EXISTS [^(]*migrations/,
    /CREATE TABLE IF NOT EXISTS [^(]*observations/,
    /CREATE OR REPLACE VIEW [^(]*bucket_rows/,
    /INSERT INTO migrations/,
  ],
)
