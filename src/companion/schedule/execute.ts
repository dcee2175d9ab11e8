import { z } from 'zod'
import type { Permissions } from '../../../contract/permissions.ts'
import { createKey } from '../../../platform/security/api-keys.ts'
import type { Vault } from '../../../platform/security/vault.ts'
import { type Postgres, transaction } from '../../../platform/stores/postgres.ts'
import { loadSql } from '../../../platform/stores/sql.ts'
import { lastSlot, nextSlot, type Slots } from './job-slots.ts'
import { openBody } from './jobs.ts'

/** A run of a job: there is one for each slot, and never a second. */
export const run = z.object({ jobId: z.int(), slot: z.number().describe('Unix seconds') })
export type Run = z.infer<typeof run>

/** Calls an endpoint of the API in this very process; nothing goes over a network. */
export type CallApi = (request: {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  key: string
  body: Record<string, unknown>
}) => Promise<{ status: number; body: string }>

/**
 * Notes a run for every job that is due, and returns all runs that nobody has finished. After a pause a job runs once, for its last slot,
 * and not for each that it missed.
 */
export async function dueRuns(postgres: Postgres, now = Date.now() / 1000): Promise<Run[]> {
  await transaction(postgres, async (client) => {
    const { rows } = await client.query<Slots & { id: number }>(loadSql('postgres/queries/schedule/due'), [
      now,
    ])
    for (const job of rows) {
      const next = nextSlot(job, now + 1e-3)
      await client.query(loadSql('postgres/queries/schedule/claim'), [job.id, lastSlot(job, now), next])
    }
  })
  const { rows } = await postgres.query<Run>(
    `SELECT job_id AS "jobId", extract(epoch FROM slot)::float8 AS slot FROM scheduled_job_runs WHERE finished_at IS NULL ORDER BY slot`,
  )
  return rows
}

interface Begun {
  account_id: number
  created_by: number
  api_endpoint: string
  request_method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  request_body_sealed: Buffer
  permissions: Permissions
  was_called: boolean
  is_deleted: boolean
}

/**
 * Makes the call of a run, as the owner of the job: with a key that lives for this call and may do what both the key that wrote the job and,
 * in a team, its holder's present role allow. A run that was cut short after its call began is called again only where that is harmless
 * by the method's meaning (not POST), else it ends as interrupted.
 */
export async function performRun(
  postgres: Postgres,
  vault: Vault,
  callApi: CallApi,
  { jobId, slot }: Run,
): Promise<string | undefined> {
  const { rows } = await postgres.query<Begun>(loadSql('postgres/queries/schedule/begin_run'), [jobId, slot])
  const [begun] = rows
  if (!begun) return undefined
  const finish = async (statusCode: number | null, outcome: string) => {
    await postgres.query(loadSql('postgres/queries/schedule/finish_run'), [jobId, slot, statusCode, outcome])
    return outcome
  }
  if (begun.is_deleted) return finish(null, 'The job was deleted before it ran')
  if (begun.was_called && begun.request_method === 'POST') return finish(null, 'Interrupted; not repeated')
  const { status, body } = await callAs(postgres, vault, callApi, jobId, begun)
  return finish(status, outcomeOf(status, body))
}

async function callAs(postgres: Postgres, vault: Vault, callApi: CallApi, jobId: number, begun: Begun) {
  const { id, key } = await createKey(postgres, {
    accountId: begun.account_id,
    createdBy: begun.created_by,
    name: `scheduled job ${jobId}`,
    permissions: begun.permissions,
    expiresAt: new Date(Date.now() + 120_000),
  })
  try {
    return await callApi({
      method: begun.request_method,
      url: begun.api_endpoint,
      key,
      body: openBody(vault, begun.account_id, begun.request_body_sealed),
    })
  } finally {
    await postgres.query('DELETE FROM api_keys WHERE id = $1', [id])
  }
}

/** Of an answer only what says how it went: its body may hold secrets. */
function outcomeOf(status: number, body: string): string {
  if (status < 400) return 'ok'
  try {
    const { error, msg } = JSON.parse(body)
    return `${error}: ${msg}`.slice(0, 500)
  } catch {
    return 'failed'
  }
}
