// A thread that ends its process when the disk of a folder is nearly full. workerData: dir; reserveBytes, which the engine keeps
// free.
//
// The engine of the `chdb` package continues when a write fails, and enters the unwritten data as present. Below the reserve it
// begins no write. At half of the reserve this thread ends running writes by ending the process, as a crash would, which loses
// nothing. The next process begins no write.
import { statfsSync, writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

const intervalMs = 20
const { dir, reserveBytes } = workerData
const clock = new Int32Array(new SharedArrayBuffer(4))
let mayWrite = false
parentPort?.postMessage('up')
for (;;) {
  const { bavail, bsize } = statfsSync(dir)
  const free = bavail * bsize
  if (free >= reserveBytes) mayWrite = true
  else if (mayWrite && free < reserveBytes / 2) {
    writeSync(2, `disk nearly full: ${free} bytes are free, and ${reserveBytes} should be\n`)
    process.kill(process.pid, 'SIGKILL')
  }
  Atomics.wait(clock, 0, 0, intervalMs)
}
