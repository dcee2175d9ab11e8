/** What became of telling a host that a task waits for it. */
export type Dispatch = 'delivered' | 'uncertain' | 'unreachable'

/** Tells the host of a machine that a task waits under a token. */
export type Controller = (machineId: number, token: string) => Promise<Dispatch>

/** Without a controller of its own a site leaves tasks where agents look for them (GET /api/v0/machines/{id}/tasks). */
export const polledByAgents: Controller = async () => 'delivered'

/**
 * A site's controller: takes `{"machine_id", "token"}` by POST and acknowledges with JSON, `{"success": false}` when it can't reach the
 * host. Whether a host heard of it is uncertain when the acknowledgement is late, cut off or no JSON.
 */
export const openController =
  (url: string, patienceMs = 5000): Controller =>
  async (machine_id, token) => {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ machine_id, token }),
        signal: AbortSignal.timeout(patienceMs),
      })
      const acknowledged: unknown = await response.json()
      const refused =
        typeof acknowledged === 'object' &&
        acknowledged !== null &&
        'success' in acknowledged &&
        acknowledged.success === false
      return refused ? 'unreachable' : 'delivered'
    } catch (error) {
      return neverConnected(error as Error) ? 'unreachable' : 'uncertain'
    }
  }

// Node's fetch hides the reason in `cause`, which holds one for each address that was tried.
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
