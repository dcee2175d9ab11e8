import { z } from 'zod'
import type { FleetAdviceAnswer } from '../../../contract/fleet-advice.ts'
import type { Tool } from '../tool.ts'

const most = 50
const input = z.object({})

export const fleetAdvice: Tool<typeof input> = {
  name: 'fleet_advice',
  title: 'Prices of all own machines together',
  description: `The prices to change of the machines of the key's account and what all changes gain together, with the interval of the sum. Own machines of one GPU type may take renters from each other, so they are planned together. At most ${most} changes, the largest gain first.`,
  input,
  path: () => '/api/v0/metrics/machines/advice',
  summarize: ({ machines, pending, basis, gain_per_day, changes, types, reason }: FleetAdviceAnswer) => ({
    figures: ['fleet_gain', 'advice'],
    data: { machines, pending, basis, gain_per_day, reason, changes: changes.slice(0, most), types },
    note: changes.length > most ? `${changes.length - most} smaller changes are left out.` : undefined,
  }),
}
