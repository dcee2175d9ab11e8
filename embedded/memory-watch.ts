// A thread that ends its process when the process exceeds its memory limit. workerData: bytes. It waits without the event loop,
// since the engine occupies the main thread.
import { openSync, readSync, writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

const intervalMs = 20
const status = openSync('/proc/self/status', 'r')
const buffer = Buffer.alloc(4096)
const clock = new Int32Array(new SharedArrayBuffer(4))
parentPort?.postMessage('up')
for (;;) {
  const length = readSync(status, buffer, 0, buffer.length, 0)
  const resident = Number(/VmRSS:\s+(\d+) kB/.exec(buffer.toString('latin1', 0, length))?.[1]) * 1024
  if (resident > workerData.bytes) {
    writeSync(2, `memory limit reached: ${resident} of ${workerData.bytes} bytes\n`)
    process.kill(process.pid, 'SIGKILL')
  }
  Atomics.wait(clock, 0, 0, intervalMs)
}
