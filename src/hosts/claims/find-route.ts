import { findQuery, foundAnswer } from '../../../contract/claims.ts'
import { type ClaimRoute, sourceNamed } from './claim-route.ts'
import { takenOf } from './stored.ts'

/** GET /api/v0/metrics/claims/find: the machines that a claim of an id would include. */
export const findClaimRoute: ClaimRoute = async (app, options) => {
  app.get(
    '/api/v0/metrics/claims/find',
    {
      config: { permissions: ['machine_read'], access: 'host' },
      schema: {
        operationId: 'findMachines',
        summary: 'Find machines of a source by an id',
        description:
          "The host and the machine with this id at the source's marketplace, as its public offers show them, if they were seen within 30 days.",
        tags: ['metrics'],
        querystring: findQuery,
        response: { 200: foundAnswer },
      },
    },
    async ({ query: { source: name, id } }) => {
      const { source, roster } = await sourceNamed(options, name)
      const ofHost = roster.ofHost.get(id)
      const machine = roster.machines.get(id)
      return {
        success: true as const,
        source,
        host: ofHost ? { id, ...takenOf(ofHost) } : null,
        machine: machine
          ? {
              id,
              gpu_name: machine.gpu_name,
              num_gpus: machine.num_gpus,
              last_seen: machine.last_slot,
            }
          : null,
      }
    },
  )
}
