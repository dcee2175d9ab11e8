import { toError } from '../../../contract/failure.ts'
/** The result of notifying a host of a waiting task. */
export type Dispatch = 'delivered' | 'uncertain' | 'unreachable'

/** Notifies the host of a machine that a task with this token waits. */
export type Controller = (machineId: number, token: string) => Promise<Dispatch>

/** The controller of a site without one: agents poll for their tasks (GET /api/v0/machines/{id}/tasks). */
export const polledByAgents: Controller = async () => 'delivered'

/**
 * The controller of a site. It takes `{"machine_id", "token"}` by POST and answers with JSON; `{"success": false}` means that the
 * host cannot be reached. If the answer is late, cut off or not JSON, it is uncertain whether the host was notified.
 */
export const openController =
  (url: string, timeoutMs = 5000): Controller =>
  async (machine_id, token) => {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ machine_id, token }),
        signal: AbortSignal.timeout(timeoutMs),
      })
      const acknowledged: unknown = await response.json()
      const refused =
        typeof acknowledged === 'object' &&
        acknowledged !== null &&
        'success' in acknowledged &&
        acknowledged.success === false
      return refused ? 'unreachable' : 'delivered'
    } catch (error) {
      return neverConnected(toError(error)) ? 'unreachable' : 'uncertain'
    }
  }

// Node's fetch puts the reasons into `cause`: one for each address that it tried.
const neverConnected = ({ cause }: Error): boolean => {
  const reasons = cause instanceof AggregateError ? cause.errors : [cause]
  return reasons.every(({ code } = { code: undefined }) =>
    [
      'ECONNREFUSED',
      'ENOTFOUND',
      'EAI_AGAIN',
      'EHOSTUNREACH',
      'ENETUNREACH',
      'UND_ERR_CONNECT_TIMEOUT',
    ].includes(code),
  )
}
