import type { z } from 'zod'
import type { Costs } from '../../../contract/cost-fields.ts'
import type { costsAnswer } from '../../../contract/costs.ts'
import { costsOf } from '../../../estimates/costs.ts'
import { type CostedMachine, unusualCosts } from '../../../estimates/unusual-costs.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { ListedMachine, OwnMachines } from '../machines/own-machines.ts'

interface Writing {
  own: OwnMachines
  /** The costs that are stored now. */
  stored: Pick<z.infer<typeof costsAnswer>, 'account' | 'machines'>
  accountId: number
  /** null: all machines of the account. */
  machineId: number | null
  costs: Costs
}

export const unusualErrors = {
  422: 'The costs are far from the usual, and `msg` says which: `unusual_costs`. They are written with `confirm_unusual`',
}

/** Throws 422 for new costs far from the usual values: a typo in them would set prices. */
export async function requireUsual({ own, stored, accountId, machineId, costs }: Writing): Promise<void> {
  const ownOf = new Map(stored.machines.map((machine) => [machine.id, machine]))
  const ofAll = machineId === null
  const before = ofAll ? stored.account : ownOf.get(machineId)
  const costed = (machine: ListedMachine): CostedMachine => ({
    id: machine.id,
    num_gpus: machine.num_gpus,
    price: machine.price,
    before: costsOf(stored.account, ownOf.get(machine.id), machine),
    now: ofAll ? costsOf(costs, ownOf.get(machine.id), machine) : costsOf(stored.account, costs, machine),
  })
  const machines: CostedMachine[] = []
  const pages = ofAll
    ? own.pages(accountId, 1000)
    : [await own.page(accountId, { limit: 1, after: 0, id: machineId })]
  for await (const page of pages) machines.push(...page.machines.map(costed))
  const unusual = unusualCosts({ before, now: costs, machines })
  if (unusual.length > 0)
    throw new ApiError(
      422,
      'unusual_costs',
      [...unusual, 'confirm_unusual must be true if they are right'].join('; '),
    )
}
