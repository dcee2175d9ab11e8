import type { z } from 'zod'
import type { AlertCondition } from '../contract/alert-conditions.ts'
import type { AutopilotBody } from '../contract/autopilot.ts'
import { day } from '../contract/durations.ts'
import type { machinesAnswer } from '../contract/machines.ts'
import { groupBy } from '../platform/group-by.ts'

type Machines = z.infer<typeof machinesAnswer>

/** Lowest price of the demo rule, as a share of the lowest own price. */
const floorShare = 0.6

/**
 * Gives the demo host alerts, and an autopilot rule in a dry run, through the API as a host would. The first alert fires at the first slot.
 * Throws an error with the answer of the service.
 */
export async function seedRules(url: string, key: string): Promise<void> {
  const call = async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${url}/api/v0/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as Answer
  }
  const { slot, machines } = await call<Machines>('GET', 'metrics/machines?figures=no')
  const byName = groupBy(machines, ({ gpu_name }) => gpu_name)
  const [[gpu_name, ofName] = ['', []]] = [...byName].sort(([, one], [, other]) => other.length - one.length)
  const alert = (name: string, condition: Partial<AlertCondition>) =>
    call('POST', 'alerts', { name, condition })
  const ends = machines.flatMap(({ terms }) => terms?.end_date ?? [])
  const days = Math.ceil((Math.min(...ends) - (slot ?? 0)) / day)
  await alert('A listing ends soon', { kind: 'listing_ends', days })
  await alert(`${gpu_name} falls`, {
    kind: 'statistic',
    gpu_name,
    statistic: 'rented_median',
    is: 'falls',
    by: 5,
  })
  const prices = ofName.flatMap(({ price }) => price ?? [])
  const rule: Partial<AutopilotBody> = {
    name: `Recommended price of ${gpu_name}`,
    gpu_name,
    target: { kind: 'recommended', own_results: null },
    floor: Math.round(Math.min(...prices) * floorShare * 1000) / 1000,
  }
  const { rule: created } = await call<{ rule: { id: number } }>('POST', 'metrics/autopilot/rules', rule)
  await call('PUT', `metrics/autopilot/rules/${created.id}/stage`, { stage: 'dry_run' })
}
