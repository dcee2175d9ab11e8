import { killedChange } from '../properties/killed-change.ts'

killedChange(
  {
    removal: [['removing the rows', /DELETE FROM [^\n]*observations/]],
    replacement: [['moving the rows', /INSERT INTO observations/]],
  },
  ['after'],
)
