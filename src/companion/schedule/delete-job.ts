import { z } from 'zod'
import { idOf } from '../../../contract/fields.ts'
import { notFound } from '../../../platform/errors.ts'
import type { CompanionRoute } from '../context.ts'
import { jobErrors, savedJob } from './schema.ts'

export const deleteJob: CompanionRoute = async (app, { postgres }) => {
  app.delete(
    '/api/v0/commands/schedule_job/:id',
    {
      config: { permissions: ['instance_write'], errors: jobErrors },
      schema: {
        operationId: 'deleteScheduledJob',
        summary: 'Delete a scheduled job',
        description: 'The job does not run again. A run that has started is not stopped.',
        tags: ['scheduled jobs'],
        params: z.object({ id: z.string() }),
        response: { 200: savedJob },
      },
    },
    async ({ caller, params }) => {
      const { rows } = await postgres.query<{ id: number }>('schedule/delete', [
        caller.accountId,
        idOf(params.id),
      ])
      if (!rows[0]) throw notFound('There is no such scheduled job')
      const { id } = rows[0]
      return {
        success: true as const,
        scheduled_job_id: id,
        msg: `Successfully deleted scheduled job with ID ${id}`,
      }
    },
  )
}
