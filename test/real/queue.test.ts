import { inject } from 'vitest'
import { schedulesOn } from '../properties/schedules.ts'

schedulesOn('postgres')
if (inject('engines').redisUrl) schedulesOn('redis')
