// Without zod: the page imports this, too.

const hostings: Record<string, string> = { secure_cloud: 'secure cloud', community: 'community' }
const verifications: Record<string, string> = { yes: 'verified', no: 'unverified' }

/** Which machines of the market count, as the API takes it. */
export interface Filters {
  verified: string
  hosting_type: string
  num_gpus: string
}

/** Which machines a filter lets pass, in words. */
export function machinesThat({ verified, hosting_type, num_gpus }: Filters): string {
  const words = [
    verifications[verified],
    num_gpus !== 'all' && `${num_gpus}×`,
    hostings[hosting_type],
  ].filter(Boolean)
  return words.length > 0 ? `${words.join(', ')} machines` : 'all machines'
}

/** What charts of the history show, in words. */
export const metricTitles = {
  price: 'Price',
  supply: 'Supply',
  occupancy: 'Occupancy',
  value: 'Performance per dollar',
} as const
