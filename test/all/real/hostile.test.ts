import { afterAll } from 'vitest'
import { openOperations } from '../../operations.ts'
import { hostileValues } from '../../properties/hostile-values.ts'

const opened = await openOperations()
afterAll(() => opened.server.close())

hostileValues(opened, 1)
