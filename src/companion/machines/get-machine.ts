import { z } from 'zod'
import { idOf } from '../../../contract/fields.ts'
import { notFound } from '../../../platform/errors.ts'
import type { CompanionRoute } from '../context.ts'
import { machine, ownMachines } from './machine.ts'

export const getMachine: CompanionRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/machines/:id',
    {
      config: {
        permissions: ['machine_read'],
        errors: { 404: 'The account has no such machine: `not_found`' },
      },
      schema: {
        operationId: 'getMachine',
        summary: 'Get an own machine',
        description: 'A list with one row, as official clients expect.',
        tags: ['machines'],
        params: z.object({ id: z.string() }),
        response: { 200: z.array(machine).length(1) },
      },
    },
    async ({ caller, params }) => {
      const machineId = idOf(params.id)
      if (machineId === undefined) throw notFound('There is no such machine')
      const { machines } = await ownMachines(postgres, caller.accountId, { machineId, limit: 1 })
      if (machines.length === 0) throw notFound('There is no such machine')
      return machines
    },
  )
}
