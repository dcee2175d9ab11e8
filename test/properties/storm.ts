import { expect } from 'vitest'
import type { openOperations } from '../operations.ts'
import { atOnce } from '../world.ts'
import { ownerOf } from './hostile-values.ts'

type Operations = Awaited<ReturnType<typeof openOperations>>

/** Concurrent equal requests of one operation, and reads of another account meanwhile. */
interface Storm {
  name: string
  /** Milliseconds of each read. */
  reads: number[]
  /** Number of answers by status. */
  statuses: Record<string, number>
}

/**
 * Sends each writing operation `parallel` times at once, on one resource, with the key of an account that may call it. Another
 * account reads meanwhile, one request after the other. Expects 200 for each read, no 5xx, and `Retry-After` with each 429.
 */
export async function stormWrites(opened: Operations, parallel: number): Promise<Storm[]> {
  const { operations, row, request, keys, server } = opened
  const storms: Storm[] = []
  await server.get('/api/v0/ssh', keys.stranger)
  for (const operation of operations.filter(({ method }) => method !== 'GET')) {
    const { name } = operation
    const owner = ownerOf(opened, name)
    const { [owner]: expected = row(name).others, isPublic } = row(name)
    const path = await row(name).path()
    const reads: number[] = []
    let isOver = false
    const reading = async () => {
      while (!isOver) {
        const startedAt = performance.now()
        const { status } = await server.get('/api/v0/ssh', keys.stranger)
        reads.push(performance.now() - startedAt)
        expect(status, `a read beside ${name}`).toBe(200)
      }
    }
    const key = isPublic ? undefined : keys[owner]
    const writing = atOnce(parallel, () => request(operation, key, { path })).finally(() => {
      isOver = true
    })
    const [answers] = await Promise.all([writing, reading()])
    const statuses: Record<string, number> = {}
    for (const { statusCode, headers, body } of answers) {
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
      if (statusCode === 429) expect(Number(headers['retry-after']), name).toBeGreaterThan(0)
      // The site has no account for ad hoc SQL.
      if (statusCode >= 500) expect([statusCode, expected], `${name}: ${body}`).toEqual([501, 501])
    }
    expect(statuses, name).toHaveProperty(`${expected}`)
    storms.push({ name, reads, statuses })
  }
  return storms
}
