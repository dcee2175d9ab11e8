import { z } from 'zod'
import {
  afterToken,
  type Columns,
  filtersOn,
  jsonParameter,
  orderOn,
  pageOf,
  pageSize,
} from '../../../contract/search.ts'
import type { Caller } from '../../../platform/security/auth.ts'
import type { Postgres } from '../../../platform/stores/postgres.ts'
import type { CompanionRoute } from '../context.ts'
import { type Template, template } from './schema.ts'

const columns = {
  creator_id: 'number',
  created_at: 'number',
  count_created: 'number',
  default_tag: 'text',
  docker_login_repo: 'text',
  id: 'number',
  image: 'text',
  jup_direct: 'boolean',
  hash_id: 'text',
  private: 'boolean',
  name: 'text',
  recent_create_date: 'number',
  recommended_disk_space: 'number',
  recommended: 'boolean',
  ssh_direct: 'boolean',
  tag: 'text',
  use_ssh: 'boolean',
} satisfies Columns

const query = z.object({
  select_filters: jsonParameter(
    filtersOn(columns),
    'JSON: `{"name": {"eq": "PyTorch"}}`. Operators: eq, neq, gt, gte, lt, lte, in, notin',
  ),
  order_by: jsonParameter(
    orderOn(columns),
    'JSON: `[{"col": "created_at", "dir": "desc"}]`. Only the first counts. Default: the id',
  ),
  limit: pageSize(1000),
  after_token: afterToken,
})

const config = { permissions: ['user_read' as const] }
const schema = {
  operationId: 'searchTemplates',
  summary: 'Search templates',
  description: `The templates of the account's library, and public ones without a docker password. A column that a template does not have is null. Every answer has all fields, regardless of \`select_cols\`.`,
  tags: ['templates'],
  querystring: query,
  response: {
    200: z.object({
      success: z.literal(true),
      templates: z.array(template),
      templates_found: z.int().describe('Rows of all pages'),
      next_token: z.string().nullable().describe('null: the last page'),
    }),
  },
}

export const searchTemplates: CompanionRoute = async (app, { postgres }) => {
  app.get('/api/v0/template', { config, schema }, ({ caller, query }) => search(postgres, caller, query))

  const description = `The same as GET /api/v0/template. ${schema.description}`
  const secondPath = { ...schema, operationId: 'pageTemplates', description }
  app.get('/api/v1/template', { config, schema: secondPath }, ({ caller, query }) =>
    search(postgres, caller, query),
  )
}

async function search(
  postgres: Postgres,
  caller: Caller,
  { select_filters = [], order_by, limit, after_token: after }: z.output<typeof query>,
) {
  const [{ col: column, dir } = { col: 'id', dir: 'asc' }] = order_by ?? []
  const { rows } = await postgres.query<{ template: Template; total: number }>('templates/search', [
    caller.accountId,
    JSON.stringify(select_filters),
    column,
    dir === 'desc',
    after?.id ?? null,
    after ? JSON.stringify(after.value) : null,
    limit + 1,
  ])
  const found = rows.map((row) => row.template)
  const { page, next_token } = pageOf(found, limit, column as keyof Template)
  return {
    success: true as const,
    templates: page,
    templates_found: rows[0]?.total ?? 0,
    next_token,
  }
}
