import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { gpuTypes } from '../../../contract/gpu-types.ts'

const answer = {
  success: true as const,
  gpu_types: gpuTypes.map(({ name, vendor, memory }) => ({
    canonical_name: name,
    vendor,
    gpu_ram_mb: memory.length === 1 && memory[0] !== undefined ? memory[0] * 1024 : null,
    gpu_ram_gb: [...memory],
  })),
}

/** GET /api/v0/gpu_types: the GPU types that rackrate knows. Official clients send no key. */
export const gpuTypesRoute: FastifyPluginAsyncZod = async (app) => {
  app.get(
    '/api/v0/gpu_types',
    {
      config: { permissions: 'none' },
      schema: {
        operationId: 'listGpuTypes',
        summary: 'GPU types',
        description:
          'The GPU types that rackrate knows, whether or not the market has them. No key is needed.',
        tags: ['metrics'],
        response: {
          200: z.object({
            success: z.literal(true),
            gpu_types: z.array(
              z.object({
                canonical_name: z.string().describe('The usual name on markets'),
                vendor: z.enum(['NVIDIA', 'AMD']),
                gpu_ram_mb: z
                  .int()
                  .nullable()
                  .describe(
                    'Memory per GPU, MB; null: the type is sold with several sizes, or the size is unknown',
                  ),
                gpu_ram_gb: z.array(z.int()).describe('All sizes of memory, GB per GPU'),
              }),
            ),
          }),
        },
      },
    },
    () => answer,
  )
}
