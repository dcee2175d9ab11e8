import type { Filters, History } from '../api/history.ts'
import { stretch, type Zone } from '../format.ts'

const hostings: Record<string, string> = { secure_cloud: 'secure cloud', community: 'community' }
const verifications: Record<string, string> = { yes: 'verified', no: 'unverified' }

/** Which machines a filter lets pass, in words. */
export function machinesThat({ verified, hosting_type, num_gpus }: Filters): string {
  const words = [
    verifications[verified],
    num_gpus !== 'all' && `${num_gpus}×`,
    hostings[hosting_type],
  ].filter(Boolean)
  return words.length > 0 ? `${words.join(', ')} machines` : 'all machines'
}

/** Which machines and what time an answer is about, in words. */
export const subjectOf = (
  { question, start, end }: Pick<History, 'question' | 'start' | 'end'>,
  zone: Zone,
): string => `${machinesThat(question)}; ${stretch(start, end, zone)}${zone === 'utc' ? ' UTC' : ''}`
