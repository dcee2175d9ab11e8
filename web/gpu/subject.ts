import { machinesThat } from '../../contract/market-filter.ts'
import type { History } from '../api/history.ts'
import { stretch, type Zone } from '../format.ts'

/** The machines and the range of an answer, in words. Created on demand, since the first date format is slow. */
export const subjectOf =
  ({ question, start, end }: Pick<History, 'question' | 'start' | 'end'>, zone: Zone) =>
  (): string =>
    `${machinesThat(question)}; ${stretch(start, end, zone)}${zone === 'utc' ? ' UTC' : ''}`
