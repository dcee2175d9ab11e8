import type { History } from '../api/history.ts'
import { stretch, type Zone } from '../format.ts'

const hostings: Record<string, string> = { secure_cloud: 'secure cloud', community: 'community' }
const verifications: Record<string, string> = { yes: 'verified', no: 'unverified' }

/** Which machines and what time an answer is about, in words. */
export function subjectOf(
  { question, start, end }: Pick<History, 'question' | 'start' | 'end'>,
  zone: Zone,
): string {
  const words = [
    verifications[question.verified],
    question.num_gpus !== 'all' && `${question.num_gpus}×`,
    hostings[question.hosting_type],
  ].filter(Boolean)
  const machines = words.length > 0 ? `${words.join(', ')} machines` : 'all machines'
  return `${machines}; ${stretch(start, end, zone)}${zone === 'utc' ? ' UTC' : ''}`
}
