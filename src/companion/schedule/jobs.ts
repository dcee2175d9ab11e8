import type pg from 'pg'
import { notFound } from '../../../platform/errors.ts'
import type { Caller } from '../../../platform/security/auth.ts'
import type { Account } from '../context.ts'
import { openBody, sealBody } from './job-body.ts'
import type { Slots } from './job-slots.ts'
import type { Job, JobFields } from './schema.ts'

type JobRow = Omit<Job, 'request_body'> & { request_body_sealed: Buffer }

interface Reader extends Pick<Account, 'id' | 'vault'> {
  client: pg.Pool | pg.PoolClient
}

/** The jobs of an account in the order they were created, or only one of them. Their bodies hold secrets in clear. */
export async function jobsOf({ id, client, vault }: Reader, jobId: number | null = null): Promise<Job[]> {
  const { rows } = await client.query<JobRow>('schedule/list', [id, jobId])
  return rows.map(({ request_body_sealed, ...job }) => ({
    ...job,
    request_body: openBody(vault, id, request_body_sealed),
  }))
}

/** The call of a job, without its times. */
export type Content = Pick<Job, 'api_endpoint' | 'request_method' | 'request_body' | 'instance_id'>

export const contentOf = ({ api_endpoint, request_method, request_body, instance_id }: JobFields | Job) =>
  ({ api_endpoint, request_method, request_body, instance_id: instance_id ?? null }) as Content

/** Throws 404 unless the account has this instance. */
export async function requireInstance({ id, client }: Account, instanceId: number | null): Promise<void> {
  if (instanceId === null) return
  const { rowCount } = await client.query('SELECT FROM contracts WHERE id = $1 AND account_id = $2', [
    instanceId,
    id,
  ])
  if (rowCount === 0) throw notFound('There is no such instance')
}

/** Parameters 3 to 14 of schedule/create and schedule/update. */
export const columnsOf = (
  { id, vault }: Account,
  { permissions, keyId }: Caller,
  content: Content,
  slots: Slots,
): unknown[] => [
  content.instance_id,
  content.api_endpoint,
  content.request_method,
  sealBody(vault, id, content.request_body),
  permissions,
  slots.start_time,
  slots.end_time,
  slots.frequency,
  slots.day_of_the_week,
  slots.hour_of_the_day,
  slots.min_of_the_hour,
  keyId,
]
