import { emptied, previousSchema } from '../../previous-release.ts'
import { killedMigrate } from '../../properties/killed-migrate.ts'

killedMigrate([emptied, previousSchema], ['before', 'after'])
