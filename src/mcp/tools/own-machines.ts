import { z } from 'zod'
import { sameName } from '../../../contract/gpu-names.ts'
import type { machinesAnswer } from '../../../contract/machines.ts'
import { filter, filterOf, gpuTypes, pathOf, type Tool } from '../tool.ts'

const most = 50
const input = z.object({ ...filter, gpu_types: gpuTypes(10).optional() })

export const ownMachines: Tool<typeof input> = {
  name: 'own_machines',
  title: 'Own machines in the market',
  description: `The machines of the key's account, and how their prices compare with the market: at most ${most}. The filters choose the market to compare with.`,
  input,
  path: (asked) => pathOf('/api/v0/metrics/machines', filterOf(asked)),
  tell: ({ machines }: z.output<typeof machinesAnswer>, { gpu_types: names }) => {
    const found = names
      ? machines.filter((one) => names.some((name) => sameName(name, one.gpu_name)))
      : machines
    const note = found.length > most ? `${found.length - most} more. Ask for one GPU type.` : undefined
    return {
      figures: ['num_gpus', 'price', 'rented_gpus', 'rented_price', 'avail_percentile', 'rented_percentile'],
      data: { count: found.length, machines: found.slice(0, most).map(told) },
      note,
    }
  },
}

/** What the definitions explain. The endpoint has more. */
const told = ({ id, gpu_name, num_gpus, verified, online, price, rented_gpus, ...machine }: Machine) => {
  const { rented_price, avail_percentile, rented_percentile } = machine
  const place = { rented_price, avail_percentile, rented_percentile }
  return { id, gpu_name, num_gpus, verified, online, price, rented_gpus, ...place }
}
type Machine = z.output<typeof machinesAnswer>['machines'][number]
