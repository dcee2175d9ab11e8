import { z } from 'zod'
import type { CompanionRoute } from '../context.ts'
import { masked } from './job-body.ts'
import { jobsOf } from './jobs.ts'
import { job } from './schema.ts'

export const listJobs: CompanionRoute = async (app, { postgres, vault }) => {
  app.get(
    '/api/v0/commands/schedule_job',
    {
      config: { permissions: ['instance_read'] },
      schema: {
        operationId: 'listScheduledJobs',
        summary: 'List scheduled jobs',
        description:
          'The jobs of the account in the order they were created, each with the result of its last run.',
        tags: ['scheduled jobs'],
        response: { 200: z.array(job) },
      },
    },
    async ({ caller }) => {
      const jobs = await jobsOf({ id: caller.accountId, client: postgres, vault })
      return jobs.map((job) => ({ ...job, request_body: masked(job.request_body) }))
    },
  )
}
