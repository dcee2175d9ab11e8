import { z } from 'zod'
import { toolFilter } from '../../../contract/filter-fields.ts'
import { sameName } from '../../../contract/gpu-names.ts'
import type { machinesAnswer } from '../../../contract/machines.ts'
import { filterParameters } from '../../../contract/market-filter.ts'
import { gpuNames, pathOf, type Tool } from '../tool.ts'

const most = 50
const input = z.object({ ...toolFilter, gpu_name: gpuNames(10).optional() })

export const ownMachines: Tool<typeof input> = {
  name: 'own_machines',
  title: 'Own machines in the market',
  description: `The machines of the key's account, at most ${most}: how their prices compare with the market, the recommended price, earnings since the last price change, net income, actual earnings where the marketplace reports them, and the terms of the listing. The filters choose the market to compare with; the advice does not depend on them.`,
  input,
  path: (asked) => pathOf('/api/v0/metrics/machines', filterParameters(asked)),
  summarize: ({ machines, income_at, claimed }: z.output<typeof machinesAnswer>, { gpu_name: names }) => {
    const found = names
      ? machines.filter((one) => names.some((name) => sameName(name, one.gpu_name)))
      : machines
    const notes = [
      ...(found.length > most ? [`${found.length - most} more. Ask for one GPU type.`] : []),
      ...(claimed
        ? [
            'The account claims these machines; only those with `earned` are proven to be its own. Income is at listed prices.',
          ]
        : []),
    ]
    return {
      figures: [
        'num_gpus',
        'price',
        'rented_gpus',
        'rented_price',
        'avail_percentile',
        'rented_percentile',
        'advice',
        'since_change',
        'covered_seconds',
        'net',
        'costs',
        'earned',
        'terms',
      ] as const,
      data: { count: found.length, income_at, claimed, machines: found.slice(0, most).map(told) },
      note: notes.join(' ') || undefined,
    }
  },
}

/** The figures that have a definition. The endpoint has more. */
const told = ({ id, gpu_name, num_gpus, verified, online, price, rented_gpus, ...machine }: Machine) => {
  const { rented_price, avail_percentile, rented_percentile } = machine
  const { advice = null, since_change = null, covered_seconds = null } = machine.figures ?? {}
  const { net = null, costs = null } = machine.figures ?? {}
  const place = { rented_price, avail_percentile, rented_percentile }
  const earned = machine.marketplace?.earned ?? null
  const figures = { advice, since_change, covered_seconds, net, costs, earned, terms: machine.terms }
  return { id, gpu_name, num_gpus, verified, online, price, rented_gpus, ...place, ...figures }
}
type Machine = z.output<typeof machinesAnswer>['machines'][number]
