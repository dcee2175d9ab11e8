import { day, hour } from '../../../contract/durations.ts'
import type { RecordingAnswer } from '../../../contract/recording.ts'
import { counted } from '../../format.ts'
import { moment } from './moments.ts'
import type { Finding } from './queue-findings.ts'

/** The whole state in one sentence. null: no market is recorded yet. */
export function headlineOf({ markets }: RecordingAnswer, findings: readonly Finding[]): string | null {
  const recorded = markets.flatMap((market) => (market.recorded ? [market.recorded] : []))
  const needed = findings.filter(({ tone }) => tone === 'bad' || tone === 'warn').length
  const isEmpty = markets.every(({ series }) => series?.is_empty)
  if (isEmpty) return null
  if (needed > 0) return `${counted(needed, 'thing')} ${needed === 1 ? 'needs' : 'need'} you`
  const [expected, there] = recorded.reduce(
    ([all, seen], one) => [all + one.expected, seen + one.recorded] as [number, number],
    [0, 0],
  )
  const since = Math.min(...recorded.map(({ from }) => from))
  const until = Math.max(...recorded.map(({ to }) => to))
  const when = until - since > 7 * day - 2 * hour ? 'in the last 7 days' : `since ${moment(since)}`
  const subject =
    markets.length === 1
      ? 'The market was'
      : `${markets.length === 2 ? 'Both' : `All ${markets.length}`} markets were`
  if (expected === 0) return `${subject} recorded just now`
  return there === expected
    ? `${subject} recorded whole ${when}`
    : `${subject} recorded to ${shareWords(there, expected)} ${when}`
}

/** A share that is less than the whole is never rounded to it. */
export function shareWords(part: number, whole: number): string {
  const percent = (100 * part) / Math.max(1, whole)
  const shown = part === whole ? 100 : Math.min(99.9, Math.round(percent * 10) / 10)
  return `${shown}\u00a0%`
}
