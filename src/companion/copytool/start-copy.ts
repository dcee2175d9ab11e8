import { z } from 'zod'
import { type CopyBody, copyBody } from '../../../contract/copytool.ts'
import { named } from '../../../contract/fields.ts'
import { ApiError, notFound } from '../../../platform/errors.ts'
import { ownAddress } from '../../../platform/http/own-address.ts'
import { hashToken, newToken } from '../../../platform/security/token.ts'
import { transaction } from '../../../platform/stores/postgres.ts'
import { one } from '../../../platform/stores/rows.ts'
import type { Companion, CompanionRoute } from '../context.ts'
import { tokenPurpose } from './host-task.ts'

const description = `Creates a task for the host of the instance's machine and notifies the host. The host's agent fetches the task once, with the credentials of the
cloud connection, copies with rclone, and reports.

All fields but \`flags\` are required. The flags are \`--dry-run\`, \`--size-only\`, \`--ignore-existing\`, \`--update\` and \`--delete-excluded\`. A path must not
contain \`..\` or control characters. If it is uncertain whether the host was notified, the request still succeeds, and the task waits for an hour. A
repeated request for an unfinished copy returns the same \`result_url\`.`

const startedCopy = named('StartedCloudCopy', {
  success: z.literal(true),
  msg: z.string(),
  result_url: z
    .url()
    .describe('URL of the log; 404 until there is one. Anyone with the URL can read it without a key'),
})

export const startCopy: CompanionRoute = async (app, companion) => {
  const { postgres, controller } = companion
  const operations = [
    ['/api/v0/commands/copytool', 'startCloudCopy'],
    ['/api/v0/commands/rclone', 'startRcloneCopy'],
  ] as const
  for (const [path, operationId] of operations)
    app.post(
      path,
      {
        config: {
          permissions: ['instance_write'],
          errors: {
            404: 'The account has no such running instance or no such cloud connection: `not_found`',
            503: 'The host cannot be reached: `could_not_dispatch`, `Could Not Dispatch Cloud Copy`, and the task is cancelled. Or a database cannot be reached; try again',
          },
        },
        schema: {
          operationId,
          summary: 'Copy between an instance and a cloud',
          description,
          tags: ['cloud'],
          body: copyBody,
          response: { 200: startedCopy },
        },
      },
      async ({ caller, body }) => {
        const task = await openTask(companion, caller.accountId, body)
        const reached =
          task.isFetched ||
          (task.machineIsOnline && (await controller(task.machineId, task.token)) !== 'unreachable')
        const { rowCount } = await postgres.query('copytool/dispatch', [task.id, reached])
        if (rowCount !== 1) throw new ApiError(503, 'could_not_dispatch', 'Could Not Dispatch Cloud Copy')
        return {
          success: true as const,
          msg: 'Sending Command... Please Wait',
          result_url: `${ownAddress(app, companion.publicUrl)}/api/v0/commands/copytool/results/${task.resultId}`,
        }
      },
    )
}

interface Place {
  machine_id: number
  online: boolean
  has_connection: boolean
}

interface StoredTask {
  id: number
  token_sealed: Buffer
  result_id: string
  is_fetched: boolean
}

/**
 * Stores a copy as a task for the host of the instance's machine. An open task of equal content is the same task, so that a
 * repeated request copies nothing twice. Throws 404 when the account has no such running instance or connection.
 */
async function openTask({ postgres, vault }: Companion, accountId: number, copy: CopyBody) {
  const { instance_id, src, dst, transfer, flags, selected } = copy
  const payload = { instance_id, src, dst, transfer, flags }
  const token = newToken()
  return transaction(postgres, async (client) => {
    const found = await client.query<Place>('copytool/place', [accountId, instance_id, selected])
    const [place] = found.rows
    if (!place) throw notFound('There is no such running instance')
    if (!place.has_connection) throw notFound('There is no such cloud connection')
    const contentHash = vault.fingerprint(JSON.stringify([payload, selected]), 'task')
    await client.query('copytool/cancel_expired', [accountId, contentHash])
    const { rows } = await client.query<StoredTask>('copytool/open_task', [
      place.machine_id,
      accountId,
      instance_id,
      selected,
      payload,
      hashToken(token),
      vault.seal(token, tokenPurpose),
      contentHash,
    ])
    const task = one(rows)
    return {
      id: task.id,
      machineId: place.machine_id,
      machineIsOnline: place.online,
      token: vault.open(task.token_sealed, tokenPurpose),
      resultId: task.result_id,
      isFetched: task.is_fetched,
    }
  })
}
