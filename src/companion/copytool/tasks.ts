import { createHash, randomBytes } from 'node:crypto'
import type { CopyBody, CopyTask, FetchedTask, Provider } from '../../../contract/copytool.ts'
import { notFound } from '../../../platform/errors.ts'
import type { Vault } from '../../../platform/security/vault.ts'
import { type Postgres, transaction } from '../../../platform/stores/postgres.ts'
import { loadSql } from '../../../platform/stores/sql.ts'
import { openCredentials, redact, secretsOf } from '../cloud/credentials.ts'

const purpose = 'task token'
/** The log's last lines matter; it stops growing here. */
const longestLog = 1_000_000

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

export interface OpenTask {
  id: number
  machineId: number
  machineIsOnline: boolean
  token: string
  resultId: string
  isFetched: boolean
}

/**
 * Stores a copy as a task for the host of the instance's machine. A task of equal content that is still open is the same task: a client's
 * repeat copies nothing twice. Throws 404 for an instance or a connection that isn't the account's.
 */
export async function openTask(
  postgres: Postgres,
  vault: Vault,
  accountId: number,
  copy: CopyBody,
): Promise<OpenTask> {
  const { instance_id, src, dst, transfer, flags, selected } = copy
  const payload = { instance_id, src, dst, transfer, flags }
  const token = randomBytes(32).toString('hex')
  return transaction(postgres, async (client) => {
    const { rows: found } = await client.query<{
      machine_id: number
      online: boolean
      has_connection: boolean
    }>(loadSql('postgres/queries/copytool/place'), [accountId, instance_id, selected])
    const [place] = found
    if (!place) throw notFound('There is no such running instance')
    if (!place.has_connection) throw notFound('There is no such cloud connection')
    const contentHash = vault.fingerprint(JSON.stringify([payload, selected]), 'task')
    await client.query(
      `UPDATE host_tasks SET dead_at = now(), credentials_sealed = NULL, log_held = ''
       WHERE account_id = $1 AND content_hash = $2 AND finished_at IS NULL AND dead_at IS NULL AND expires_at <= now()`,
      [accountId, contentHash],
    )
    const { rows } = await client.query<{
      id: number
      token_sealed: Buffer
      result_id: string
      is_fetched: boolean
    }>(loadSql('postgres/queries/copytool/open_task'), [
      place.machine_id,
      accountId,
      instance_id,
      selected,
      payload,
      hashOf(token),
      vault.seal(token, purpose),
      contentHash,
    ])
    const [{ id, token_sealed, result_id, is_fetched }] = rows as [(typeof rows)[number]]
    return {
      id,
      machineId: place.machine_id,
      machineIsOnline: place.online,
      token: vault.open(token_sealed, purpose),
      resultId: result_id,
      isFetched: is_fetched,
    }
  })
}

/**
 * Notes what became of telling the host, and returns whether the task lives: once somebody was told that the copy is on its way it does, until
 * a host takes it or its time is over; else an unreachable host ends it.
 */
export async function noteDispatch(postgres: Postgres, id: number, reached: boolean): Promise<boolean> {
  const { rowCount } = await postgres.query(loadSql('postgres/queries/copytool/dispatch'), [id, reached])
  return rowCount === 1
}

/** Tokens of the tasks that wait for a machine, oldest first; undefined when the machine isn't the account's. */
export async function waitingFor(
  postgres: Postgres,
  vault: Vault,
  accountId: number,
  machineId: number | undefined,
) {
  const { rows } = await postgres.query<{
    token_sealed: Buffer | null
    created_at: number
    expires_at: number
  }>(loadSql('postgres/queries/copytool/waiting'), [accountId, machineId])
  if (rows.length === 0) return undefined
  return rows.flatMap(({ token_sealed, created_at, expires_at }) =>
    token_sealed ? [{ token: vault.open(token_sealed, purpose), created_at, expires_at }] : [],
  )
}

/** Hands a task over, once, with the cloud's credentials; undefined when there is none to be had under this token. */
export async function fetchTask(
  postgres: Postgres,
  vault: Vault,
  hostId: number,
  token: string,
): Promise<FetchedTask | undefined> {
  const { rows } = await postgres.query<{
    machine_id: number
    account_id: number
    payload: CopyTask
    provider: Provider
    credentials_sealed: Buffer
  }>(loadSql('postgres/queries/copytool/fetch'), [hostId, hashOf(token)])
  const [row] = rows
  if (!row) return undefined
  const { machine_id, account_id, payload, provider, credentials_sealed } = row
  return {
    success: true,
    machine_id,
    task: payload,
    cloud: { provider, credentials: openCredentials(vault, account_id, credentials_sealed) },
  }
}

/**
 * Appends what the host says to the task's log, without any of the credentials that it was fetched with; what may be the beginning of one is
 * held back until more comes. `offset` counts the characters that were sent before, so that a repeat adds nothing. Returns how many have
 * been received; undefined when the host has no such task at work.
 */
export async function appendLog(
  postgres: Postgres,
  vault: Vault,
  hostId: number,
  token: string,
  { offset, text }: { offset: number; text: string },
): Promise<number | undefined> {
  return transaction(postgres, async (client) => {
    const { rows } = await client.query<{
      id: number
      account_id: number
      log: string
      log_held: string
      log_received: number
      credentials_sealed: Buffer
    }>(loadSql('postgres/queries/copytool/task_at_work'), [hostId, hashOf(token)])
    const [task] = rows
    if (!task) return undefined
    const added = text.slice(Math.max(0, task.log_received - offset))
    if (offset > task.log_received || added === '') return task.log_received
    const secrets = secretsOf(openCredentials(vault, task.account_id, task.credentials_sealed))
    const { clean, held } = redact(task.log_held + added, secrets)
    await client.query(
      `UPDATE host_tasks SET log = nullif($2, ''), log_held = $3, log_received = log_received + $4, expires_at = now() + interval '15 minutes'
       WHERE id = $1`,
      [task.id, (task.log + clean).slice(-longestLog), held, added.length],
    )
    return task.log_received + added.length
  })
}

/** Notes how the task ended; false when the host has no such task at work. Saying it again changes nothing. */
export async function finishTask(
  postgres: Postgres,
  hostId: number,
  token: string,
  exitCode: number,
): Promise<boolean> {
  const { rowCount } = await postgres.query(loadSql('postgres/queries/copytool/finish'), [
    hostId,
    hashOf(token),
    exitCode,
  ])
  return rowCount === 1
}
