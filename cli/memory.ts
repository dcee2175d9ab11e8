import { UsageError } from '../platform/usage-error.ts'

/** An idle process takes 80 MB. */
const leastBytes = 128 * 2 ** 20

/** Throws when the container has too little memory. Otherwise the kernel would end the process later, without a reason in its log. */
export function requireMemory(limit = process.constrainedMemory()): void {
  if (limit === 0 || limit >= leastBytes) return
  const [has, needs] = [limit, leastBytes].map((bytes) => Math.floor(bytes / 2 ** 20))
  throw new UsageError(
    `This container may use ${has} MB of memory, but rackrate needs at least ${needs} MB. Raise its limit (mem_limit, --memory).`,
  )
}
