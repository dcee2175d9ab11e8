import { describe } from 'vitest'
import { hasRedis } from '../../debian.ts'
import { schedulesOn } from '../../properties/schedules.ts'

describe.skipIf(!hasRedis)('an installed Redis', () => schedulesOn('redis'))
