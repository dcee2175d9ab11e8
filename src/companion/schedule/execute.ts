import { z } from 'zod'
import type { Permissions } from '../../../contract/permissions.ts'
import { type Clock, dateOf } from '../../../platform/clock.ts'
import { createKey } from '../../../platform/security/api-keys.ts'
import type { Vault } from '../../../platform/security/vault.ts'
import { type Postgres, transaction } from '../../../platform/stores/postgres.ts'
import { openBody } from './job-body.ts'
import { lastSlot, nextSlot, type Slots } from './job-slots.ts'

/** A run of a job. A slot of a job has at most one. */
export const run = z.object({ jobId: z.int(), slot: z.number().describe('Unix seconds') })
export type Run = z.infer<typeof run>

/** Calls an endpoint of the API in this process, not over a network. */
export type CallForJob = (request: {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  key: string
  body: Record<string, unknown>
}) => Promise<{ status: number; body: string }>

/** The clients and settings of a run. */
interface Running {
  postgres: Postgres
  clock: Clock
  vault: Vault
  callApi: CallForJob
}

/** Seconds that a call may take. The key of the call expires then. */
const longestCall = 120

/**
 * Records a run for every due job, and returns all unfinished runs. After a pause a job runs once, for its last slot, and not for
 * every missed slot.
 */
export async function dueRuns(postgres: Postgres, now: number): Promise<Run[]> {
  await transaction(postgres, async (client) => {
    const { rows } = await client.query<Slots & { id: number }>('schedule/due', [now])
    for (const job of rows) {
      const next = nextSlot(job, now + 1e-3)
      await client.query('schedule/claim', [job.id, lastSlot(job, now), next])
    }
  })
  const { rows } = await postgres.query<Run>('schedule/open_runs')
  return rows
}

interface Begun {
  account_id: number
  created_by: number
  key_id: number | null
  api_endpoint: string
  request_method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  request_body_sealed: Buffer
  permissions: Permissions
  was_called: boolean
  is_deleted: boolean
  key_ended: string | null
}

/**
 * Makes the call of a run with a key that exists only for this call and has the permissions of the job's key. If that key is
 * revoked or has expired, the job is stopped instead. If the process died during an earlier call, the call is repeated unless its
 * method is POST; a POST ends as interrupted. Returns the outcome; undefined: another process has the run, or it is finished.
 */
export async function performRun(
  { postgres, clock, vault, callApi }: Running,
  { jobId, slot }: Run,
): Promise<string | undefined> {
  const { rows } = await postgres.query<Begun>('schedule/begin_run', [jobId, slot])
  const [begun] = rows
  if (!begun) return undefined
  const finish = async (statusCode: number | null, outcome: string) => {
    await postgres.query('schedule/finish_run', [jobId, slot, statusCode, outcome])
    return outcome
  }
  if (begun.is_deleted) return finish(null, 'The job was deleted before it ran')
  if (begun.key_ended !== null) {
    await postgres.query('schedule/stop', [jobId, begun.key_ended])
    return finish(null, begun.key_ended)
  }
  if (begun.was_called && begun.request_method === 'POST') return finish(null, 'Interrupted; not repeated')
  const { status, body } = await callAsOwner({ postgres, clock, vault, callApi }, jobId, begun)
  return finish(status, outcomeOf(status, body))
}

async function callAsOwner({ postgres, clock, vault, callApi }: Running, jobId: number, begun: Begun) {
  const { id, key } = await createKey(postgres, {
    accountId: begun.account_id,
    createdBy: begun.created_by,
    name: `scheduled job ${jobId}`,
    permissions: begun.permissions,
    expiresAt: dateOf(clock, longestCall),
    standsFor: begun.key_id,
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

/** Only the error code and message of an answer are stored: its body may contain secrets. */
function outcomeOf(status: number, body: string): string {
  if (status < 400) return 'ok'
  try {
    const { error, msg } = JSON.parse(body)
    return `${error}: ${msg}`.slice(0, 500)
  } catch {
    return 'failed'
  }
}
