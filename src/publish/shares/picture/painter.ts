import { once } from 'node:events'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import PQueue from 'p-queue'
import { ApiError } from '../../../../platform/errors.ts'

const thread = createRequire(import.meta.url).resolve('#dist/src/publish/shares/picture/painter-thread.js')
const mostWaiting = 20

/**
 * Converts SVG to PNG in a thread of its own, one picture after the other. The thread starts with the first one. The caller
 * closes it.
 */
export function openPainter() {
  let worker: Worker | undefined
  const queue = new PQueue({ concurrency: 1 })

  async function paintNow(svg: string): Promise<Buffer> {
    worker ??= new Worker(thread, { resourceLimits: { maxOldGenerationSizeMb: 128 } })
    worker.unref()
    worker.postMessage(svg)
    try {
      const [png] = (await once(worker, 'message')) as [Uint8Array]
      return Buffer.from(png)
    } catch (error) {
      worker = undefined // The thread has ended with its error, and the next picture starts another.
      throw error
    }
  }

  return {
    async paint(svg: string): Promise<Buffer> {
      if (queue.size + queue.pending >= mostWaiting)
        throw new ApiError(503, 'unavailable', 'Too many pictures are being drawn. Try again in 5 seconds.', {
          retryAfter: 5,
        })
      return queue.add(() => paintNow(svg))
    },
    close: async () => void (await worker?.terminate()),
  }
}
