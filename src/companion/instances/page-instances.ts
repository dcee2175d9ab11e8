import { z } from 'zod'
import { afterToken, filtersOn, jsonParameter, orderOn, pageOf, pageSize } from '../../../contract/search.ts'
import type { CompanionRoute } from '../context.ts'
import { type Instance, instance, instanceColumns, searchInstances } from './instance.ts'

const query = z.object({
  select_filters: jsonParameter(
    filtersOn(instanceColumns),
    'JSON: `{"gpu_name": {"eq": "RTX 4090"}}`. Operators: eq, neq, gt, gte, lt, lte, in, notin',
  ),
  order_by: jsonParameter(
    orderOn(instanceColumns),
    'JSON: `[{"col": "start_date", "dir": "desc"}]`. Only the first counts. Default: the id',
  ),
  limit: pageSize(25),
  after_token: afterToken,
})

export const pageInstances: CompanionRoute = async (app, { postgres }) => {
  app.get(
    '/api/v1/instances',
    {
      config: { permissions: ['instance_read'] },
      schema: {
        operationId: 'pageInstances',
        summary: 'List instances in pages',
        description: `The instances of the account: rentals that have not ended. Pages stay consistent when instances are added or removed. Send the
same \`order_by\` with \`after_token\`.`,
        tags: ['instances'],
        querystring: query,
        response: {
          200: z.object({
            success: z.literal(true),
            instances: z.array(instance),
            total_instances: z.int().describe('Rows of all pages'),
            label_counts: z.record(z.string(), z.int()).describe('Always empty: instances have no labels'),
            next_token: z.string().nullable().describe('null: the last page'),
          }),
        },
      },
    },
    async ({ caller, query: { select_filters: filters = [], order_by, limit, after_token: after } }) => {
      const [{ col: column, dir } = { col: 'id', dir: 'asc' }] = order_by ?? []
      const { instances, total } = await searchInstances(postgres, caller.accountId, {
        filters,
        column,
        after,
        descending: dir === 'desc',
        limit: limit + 1,
      })
      const { page, next_token } = pageOf(instances, limit, column as keyof Instance)
      return {
        success: true as const,
        instances: page,
        total_instances: total,
        label_counts: {},
        next_token,
      }
    },
  )
}
