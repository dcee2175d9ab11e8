import { machinesThat } from '../../contract/market-filter.ts'
import type { History } from '../api/history.ts'
import { stretch, type Zone } from '../format.ts'

/** Which machines and what time an answer is about, in words. Created lazily: the first date format is slow. */
export const subjectOf =
  ({ question, start, end }: Pick<History, 'question' | 'start' | 'end'>, zone: Zone) =>
  (): string =>
    `${machinesThat(question)}; ${stretch(start, end, zone)}${zone === 'utc' ? ' UTC' : ''}`
