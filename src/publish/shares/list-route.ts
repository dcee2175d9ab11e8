import { z } from 'zod'
import { type Share, share, sharedChart } from '../../../contract/shares.ts'
import type { ShareRoute } from './share-route.ts'

/** The charts that an account shares. */
export const listSharesRoute: ShareRoute = async (app, { postgres }) => {
  app.get(
    '/api/v0/shares',
    {
      config: { permissions: ['machine_read'], access: 'host' },
      schema: {
        operationId: 'listSharedCharts',
        summary: 'List shared charts',
        description:
          'The links of the account, newest first. The link itself is returned only when it is created.',
        tags: ['metrics'],
        response: { 200: z.object({ success: z.literal(true), shares: z.array(share) }) },
      },
    },
    async ({ caller }) => {
      const query = 'shares/list'
      const { rows } = await postgres.query<Share>(query, [caller.accountId])
      // Fields that later releases added to a chart get their default in older charts.
      const shares = rows.map((row) => ({ ...row, chart: sharedChart.parse(row.chart) }))
      return { success: true as const, shares }
    },
  )
}
