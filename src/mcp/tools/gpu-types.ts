import { z } from 'zod'
import type { namesAnswer } from '../../../contract/names.ts'
import { isoOf, type Tool } from '../tool.ts'

const most = 100
const input = z.object({ contains: z.string().max(64).default('').describe('Only names with this text') })

export const gpuTypes: Tool<typeof input> = {
  name: 'gpu_types',
  title: 'GPU types',
  description:
    'The GPU types that the market has or had, with the number of their machines and GPUs when last seen.',
  input,
  path: () => '/api/v0/metrics/gpu/names',
  summarize: ({ names }: z.output<typeof namesAnswer>, { contains }) => {
    const found = names.filter(({ name }) => name.toLowerCase().includes(contains.toLowerCase()))
    const gpu_types = found.slice(0, most).map(({ first_seen, last_seen, ...gpu }) => ({
      ...gpu,
      first_seen: isoOf(first_seen),
      last_seen: isoOf(last_seen),
    }))
    const note = found.length > most ? `${found.length - most} more. Ask with \`contains\`.` : undefined
    return { figures: ['machines', 'gpus'], data: { gpu_types }, note }
  },
}
